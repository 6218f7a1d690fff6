"""Which names a C++ source declares, and how the house writes them: found in the text, without a compiler.

Functions, variables, constants and enumerators are snake_case, types are PascalCase. Template parameters may be
either. Names of others (CUDA's, GoogleTest's, libc's) are used, not declared; where a source has to declare one, to
override a function or to lay out a structure, the name is listed in OF_OTHERS.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"""
    (?P<skipped>//(?:\\\n|[^\n])*|/\*.*?\*/)
  | (?P<string>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"
              |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
  | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<mark>::|->|&&|\.\.\.|[^\s])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

SNAKE_CASE = re.compile(r"_*[a-z][a-z0-9_]*")
PASCAL_CASE = re.compile(r"[A-Z][A-Za-z0-9]*")
UPPER_CASE = re.compile(r"_*[A-Z][A-Z0-9_]*")
NUMBER_TYPE = re.compile(r"(?:u|s|b|f|bf)\d+(?:x\d+)?")  # u32, bf16x2: as PTX calls them

# What CUDA and its libraries name in their own way, what GoogleTest and libc want overridden, fixtures that bear a
# lab's name because the grader reads it there, and the public course's swizzles.
OF_OTHERS = re.compile(
    r"_*(?:cu|cuda|cublas|nv)[A-Z]\w*|CU\w+|__\w+|SetUp|TearDown|SetUpTestSuite|TearDownTestSuite|TestBody|PrintTo"
    r"|OnTest\w+|OnEnvironments\w+|GetParam|LLVMFuzzer\w+|U?INT\w*_(?:MAX|MIN)|lab\d+_\w+"
    r"|wgmmaSwizzle|(?:NO_SWIZZLE|SWIZZLE_(?:32|64|128)B)"
)

# Words before a name that make no declaration of it.
NO_TYPE = re.compile(
    r"alignas|alignof|and|asm|break|case|class|concept|const|consteval|constexpr|constinit|continue|co_await"
    r"|co_return|co_yield|decltype|default|delete|do|else|enum|explicit|export|extern|final|friend|goto|if"
    r"|inline|mutable|namespace|new|noexcept|not|operator|or|override|private|protected|public|requires|return"
    r"|sizeof|static|static_assert|struct|switch|template|throw|try|typedef|typeid|typename|union|using"
    r"|virtual|volatile|while|__restrict__|__shared__|__device__|__global__|__host__|__constant__"
    r"|__forceinline__|__noinline__"
)


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Name:
    text: str
    line: int
    rule: str  # what it should have been


def tokens_of(text: str) -> list[Token]:
    tokens: list[Token] = []
    line, end = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", end, match.start())
        end = match.start()
        kind = match.lastgroup or ""
        kind = "string" if kind == "delimiter" else kind
        if kind not in ("skipped", "directive"):
            tokens.append(Token(kind, match.group(), line))
    return tokens


def misnamed(text: str, *, upper_case_constants: bool = False) -> list[Name]:
    """The declared names that are not written as the house writes them. Kernels for students call their constants
    LIKE_THIS, as CUDA's own samples do: `upper_case_constants` lets them."""
    tokens = tokens_of(text)
    types = set(_types(tokens))
    found = [*_misnamed_types(tokens), *_misnamed_enumerators(tokens)]
    for name in _declared(tokens, types):
        is_constant = upper_case_constants and UPPER_CASE.fullmatch(name.text)
        if not (SNAKE_CASE.fullmatch(name.text) or is_constant or OF_OTHERS.fullmatch(name.text)):
            found.append(name)
    return sorted(set(found), key=lambda name: (name.line, name.text))


def _types(tokens: list[Token]) -> Iterator[str]:
    for index, token in enumerate(tokens[:-1]):
        if token.text in ("struct", "class", "union", "using", "typename", "concept"):
            yield tokens[index + 1].text
        if token.text == "enum":
            yield tokens[index + (2 if tokens[index + 1].text in ("class", "struct") else 1)].text


def _definitions(tokens: list[Token]) -> Iterator[tuple[int, bool]]:
    """The index of the name of each type that is defined here, and whether it is an enumeration."""
    for index, token in enumerate(tokens[:-2]):
        if token.text not in ("struct", "class", "union", "enum") or tokens[index - 1].text in ("enum", "<", ","):
            continue
        at = index + 1
        if token.text == "enum" and tokens[at].text in ("class", "struct"):
            at += 1
        while tokens[at].text == "alignas" or tokens[at].text.startswith("__"):
            at = _after_parentheses(tokens, at + 1)
        follows = tokens[at + 1].text
        if tokens[at].kind == "name" and (follows in ("{", ":", ";") or tokens[at + 1].text == "final"):
            yield at, token.text == "enum"


def _after_parentheses(tokens: list[Token], at: int) -> int:
    if tokens[at].text != "(":
        return at
    depth = 0
    for index in range(at, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[index].text, 0)
        if depth == 0:
            return index + 1
    return len(tokens)


def _misnamed_types(tokens: list[Token]) -> Iterator[Name]:
    aliases = (
        index + 1 for index, token in enumerate(tokens[:-2]) if token.text == "using" and tokens[index + 2].text == "="
    )
    for at in [*(at for at, _ in _definitions(tokens)), *aliases]:
        name = tokens[at]
        if not (PASCAL_CASE.fullmatch(name.text) or NUMBER_TYPE.fullmatch(name.text) or OF_OTHERS.fullmatch(name.text)):
            yield Name(name.text, name.line, "a type: PascalCase")


def _misnamed_enumerators(tokens: list[Token]) -> Iterator[Name]:
    bodies = [index for index, token in enumerate(tokens) if token.text == "enum"]
    for begin in bodies:
        at = begin
        while at < len(tokens) and tokens[at].text not in ("{", ";", ")"):
            at += 1
        if at == len(tokens) or tokens[at].text != "{":
            continue
        while at < len(tokens) and tokens[at].text != "}":
            at += 1
            name = tokens[at]
            is_enumerator = name.kind == "name" and tokens[at - 1].text in ("{", ",")
            if is_enumerator and not (SNAKE_CASE.fullmatch(name.text) or OF_OTHERS.fullmatch(name.text)):
                yield Name(name.text, name.line, "an enumerator: snake_case")


def _declared(tokens: list[Token], types: set[str]) -> Iterator[Name]:
    """Names behind a type and before what ends a declarator. An expression like `a * b;` looks the same; it
    misleads only if b is a name that nobody here may declare."""
    in_template = _template_parameters(tokens)
    for index in range(1, len(tokens) - 1):
        before, name, after = tokens[index - 1], tokens[index], tokens[index + 1]
        if name.kind != "name" or index in in_template or name.text in types:
            continue
        if before.text == "const":  # int* const name
            before = tokens[index - 2]
        is_type = before.kind == "name" and not NO_TYPE.fullmatch(before.text)
        follows_type = is_type or before.text in (">", "*", "&", "&&")
        if follows_type and after.text == "(" and not UPPER_CASE.fullmatch(name.text):  # WTERMSIG(...) is a macro
            yield Name(name.text, name.line, "a function or variable: snake_case")
        elif follows_type and after.text in ("=", ";", ",", ")", "{", "[", ":"):
            yield Name(name.text, name.line, "a variable: snake_case")


def _template_parameters(tokens: list[Token]) -> set[int]:
    inside: set[int] = set()
    for index, token in enumerate(tokens[:-1]):
        if token.text != "template" or tokens[index + 1].text != "<":
            continue
        depth = 0
        for at in range(index + 1, len(tokens)):
            depth += {"<": 1, ">": -1}.get(tokens[at].text, 0)
            inside.add(at)
            if depth == 0:
                break
    return inside
