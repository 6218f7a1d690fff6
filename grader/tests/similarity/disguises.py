"""What is done to a text that is not one's own, so that it looks as if it were: each keeps what the text does."""

import re
from collections.abc import Callable

from staff.similarity.tokens import KEPT
from staff.similarity.words import WORD, names_in

RENAMED = ("first", "second", "value", "total", "place", "count", "part", "other", "thing", "buffer", "left", "right")

DECLARATION = re.compile(
    r" +(?:const |static |constexpr |__shared__ |alignas\(\d+\) )*(?!return|using|else)[a-z]\w*(?:<[^;=]*>)? [&*]?"
    r"(?P<name>\w+)(?:\[[^\]]*\])*(?: = [^;{}]*)?;"
)


def renamed(text: str, given: frozenset[str]) -> str:
    """Every name but the language's and the course's is another one."""
    names = sorted(names_in(text) - KEPT - given)
    new = {name: f"{RENAMED[number % len(RENAMED)]}{number}" for number, name in enumerate(names)}
    return _with_names(text, new)


def _with_names(text: str, new: dict[str, str]) -> str:
    def named(match: re.Match[str]) -> str:
        if match.lastgroup == "directive" and "define" in match[0]:
            return re.sub(r"\w+", lambda word: new.get(word[0], word[0]), match[0])
        return new.get(match[0], match[0]) if match.lastgroup == "name" else match[0]

    return WORD.sub(named, text)


def without_comments(text: str) -> str:
    return WORD.sub(lambda match: "" if match.lastgroup == "comment" else match[0], text)


def reflowed(text: str) -> str:
    """Other blanks and line breaks, wherever the language has none to say."""
    return WORD.sub(lambda match: f"{match[0]}\n\n" if match[0] in (";", "{", "}") else match[0], text)


def in_another_order(text: str) -> str:
    """The functions from the last to the first, as far as blank lines divide them; macros and aliases stay ahead."""
    head, *pieces = re.split(r"\n\n(?=\S)", text)
    first = [piece for piece in pieces if re.search("^(#define|using)", piece, re.MULTILINE)]
    return "\n\n".join([head, *first, *reversed([piece for piece in pieces if piece not in first])])


def padded(text: str) -> str:
    """A statement that does nothing behind every twelfth."""
    ends = list(re.finditer(r";\n", text))[::12]
    for end in reversed(ends):
        text = text[: end.end()] + "  if (false) { return; }\n" + text[end.end() :]
    return text


def with_while(text: str) -> str:
    """Every `for` that has a condition as a `while` in a block of its own."""
    for match in reversed(list(re.finditer(r"(?<!\w)for \(", text))):
        end = _closed(text, match.end() - 1)
        parts = text[match.end() : end - 1].split(";")
        stop = _statement_end(text, end)
        body = text[end:stop]
        if len(parts) == 3 and "continue" not in body and not _is_after_pragma(text, match.start()):
            first, condition, step = (part.strip() for part in parts)
            loop = f"{{ {first}; while ({condition or 'true'}) {{ {body.strip()} {step}; }} }}"
            text = text[: match.start()] + loop + text[stop:]
    return text


def _closed(text: str, at: int) -> int:
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "({[") - (text[place] in ")}]")
        if depth == 0:
            return place + 1
    return len(text)


def _statement_end(text: str, at: int) -> int:
    at += len(text[at:]) - len(text[at:].lstrip())
    if text[at] == "{":
        return _closed(text, at)
    if word := re.match(r"(for|while|if|if constexpr) \(", text[at:]):
        end = _statement_end(text, _closed(text, at + word.end() - 1))
        if other := re.match(r"\s*else\b", text[end:]):
            end = _statement_end(text, end + other.end())
        return end
    while text[at] != ";":
        at = _closed(text, at) if text[at] in "({[" else at + 1
    return at + 1


def _is_after_pragma(text: str, at: int) -> bool:
    return text[:at].rstrip().rsplit("\n", 1)[-1].lstrip().startswith("#pragma")


def declarations_in_another_order(text: str) -> str:
    """Of two declarations next to each other that do not need each other, the second comes first."""
    lines = text.split("\n")
    at = 1
    while at < len(lines):
        first, second = (DECLARATION.fullmatch(line) for line in lines[at - 1 : at + 1])
        if first and second and not re.search(rf"\b{first['name']}\b", lines[at]):
            lines[at - 1 : at + 1] = lines[at], lines[at - 1]
            at += 1
        at += 1
    return "\n".join(lines)


def declarations_split(text: str) -> str:
    """First the variable, and then its value."""
    return _declared(
        text, lambda one: f"{one['indent']}{one['type']} {one['name']};\n{one['indent']}{one['name']} = {one['value']};"
    )


def with_auto(text: str) -> str:
    return _declared(text, lambda one: f"{one['indent']}const auto {one['name']} = {one['type']}({one['value']});")


def _declared(text: str, written: Callable[[re.Match[str]], str]) -> str:
    """The constants of one word's type that functions declare, written another way."""
    return re.sub(
        r"^(?P<indent> +)const (?P<type>unsigned|int|size_t|bool|float) (?P<name>[a-z]\w*) = (?P<value>[^;{}]*);$",
        written,
        text,
        flags=re.MULTILINE,
    )


def with_unused_variables(text: str) -> str:
    return _behind_statements(text, 8, lambda number: f"  int spare{number} = {number}; spare{number} += 1;\n")


def with_dead_code(text: str) -> str:
    return _behind_statements(text, 4, lambda number: f"#if 0\n  if (spare{number}) {{ take({number}); }}\n#endif\n")


def with_broken_words(text: str) -> str:
    """Within most names a line ends, and goes on in the next one."""
    return re.sub(r"\b([a-z]\w)(\w{2,})\b(?![^\n]*\\\n)", r"\1\\\n\2", text)


def with_digraphs(text: str) -> str:
    spelled = {"{": "<%", "}": "%>", "[": "<:", "]": ":>", "&&": "and", "||": "or", "!=": "not_eq"}

    def said(match: re.Match[str]) -> str:
        return f" {spelled[match[0]]} " if match.lastgroup == "sign" and match[0] in spelled else match[0]

    return WORD.sub(said, text)


def _behind_statements(text: str, each: int, added: Callable[[int], str]) -> str:
    """Behind every so manieth that stands in a line of a function by itself, and is nobody's only one."""
    ends = list(re.finditer(r"(?<=[;{}]\n)  +(?!for|if|else|while|#)[^\n]*;\n(?! *else)", text))[::each]
    for number, end in reversed([*enumerate(ends)]):
        text = text[: end.end()] + added(number) + text[end.end() :]
    return text


def with_parentheses(text: str) -> str:
    return re.sub(r"\b(\d+)\b(?=[;,)])", r"((\1))", re.sub(r"\bif \(([^()]*)\)", r"if ((\1))", text))


def in_blocks(text: str) -> str:
    """A call that is a statement is a block."""
    return re.sub(r"(?<=[;{}]\n)(  +)(\w+\(.*\);)$", r"\1{ { \2 } }", text, flags=re.MULTILINE)


def with_macros(text: str) -> str:
    """Each word of the language by another name."""
    words = ("for", "if", "else", "while", "return", "const", "unsigned", "int", "__shared__", "threadIdx", "blockIdx")
    return _behind_includes(
        text,
        "".join(f"#define {word[0].upper()}{number} {word}\n" for number, word in enumerate(words)),
        lambda rest: _with_names(rest, {word: f"{word[0].upper()}{number}" for number, word in enumerate(words)}),
    )


def with_macros_of_arguments(text: str) -> str:
    def loops(rest: str) -> str:
        return re.sub(r"\bfor \(([^;,()]+);([^;,]+);([^;,()]+)\)", r"LOOP(\1,\2,\3)", rest).replace("if (", "WHEN (")

    return _behind_includes(text, "#define LOOP(a, b, c) for (a; b; c)\n#define WHEN(x) if (x)\n", loops)


def with_other_names_for_types(text: str) -> str:
    names = {
        "int": "whole",
        "float": "real",
        "bool": "truth",
        "void": "nothing",
        "size_t": "length",
        "uint64_t": "word",
    }
    using = "".join(f"using {name} = {type_};\n" for type_, name in names.items())

    def named(rest: str) -> str:
        rest = re.sub(r"\bunsigned (?!int|long|char|short)", "natural ", rest)
        return _with_names(rest, names)

    return _behind_includes(text, using + "using natural = unsigned;\n", named)


def _behind_includes(text: str, added: str, changed: Callable[[str], str]) -> str:
    end = max((match.end() for match in re.finditer(r"^#include.*\n", text, re.MULTILINE)), default=0)
    return text[:end] + added + changed(text[end:])


def with_longer_assignments(text: str) -> str:
    text = re.sub(r"^( +)(\w+) ([-+*/|&])= ([^;]+);", r"\1\2 = \2 \3 (\4);", text, flags=re.MULTILINE)
    return re.sub(r"; \+\+(\w+)\)", r"; \1 = \1 + 1)", re.sub(r"; (\w+) \+= ([^;{}()]+)\)", r"; \1 = \1 + (\2))", text))


def with_mirrored_comparisons(text: str) -> str:
    mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
    return re.sub(
        r"(?<=[(;] )?\b([\w.]+) (<|>|<=|>=|==|!=) ([\w.]+)\b(?![.(\[+*-])(?! [-+*/%<>])",
        lambda match: f"{match[3]} {mirrored[match[2]]} {match[1]}",
        text,
    )


def all_of_them(text: str, given: frozenset[str]) -> str:
    text = with_while(text)  # reads plain C++
    for hide in reversed(WAYS.values()):
        if hide not in (all_of_them, WAYS["`while` for `for`"], *COMPOUND.values()):
            text = hide(text, given)
    return text


def _only(change: Callable[[str], str]) -> Callable[[str, frozenset[str]], str]:
    return lambda text, given: change(text)


def _behind_each(statement: str) -> Callable[[str, frozenset[str]], str]:
    """`#` in the statement is a number, another one each time."""
    return _only(lambda text: _behind_statements(text, 1, lambda number: f"  {statement.replace('#', str(number))}\n"))


# Behind each statement, as "`(void)0;`" is: all of these at once would be texts that nobody hands in.
COMPOUND = {
    "`if (0) {}`": _behind_each("if (0) {}"),
    "`do {} while (0);`": _behind_each("do {} while (0);"),
    "`enum { a };`": _behind_each("enum { spare# };"),
    "`struct A { int a; };`": _behind_each("struct Spare# { int value; };"),
    "`if (0) { f(1); }`": _behind_each("if (0) { take(#); }"),
    "`[] {}();`": _behind_each("[] {}();"),
}

WAYS: dict[str, Callable[[str, frozenset[str]], str]] = {
    "lines that end within words": _only(with_broken_words),
    "other spellings of signs": _only(with_digraphs),
    "every name another": renamed,
    "comments left out": _only(without_comments),
    "other blanks and lines": _only(reflowed),
    "functions in another order": _only(in_another_order),
    "declarations in another order": _only(declarations_in_another_order),
    "values behind declarations": _only(declarations_split),
    "`auto` for types": _only(with_auto),
    "other names for types": _only(with_other_names_for_types),
    "macros for words": _only(with_macros),
    "macros with arguments": _only(with_macros_of_arguments),
    "`while` for `for`": _only(with_while),
    "longer assignments": _only(with_longer_assignments),
    "mirrored comparisons": _only(with_mirrored_comparisons),
    "more parentheses": _only(with_parentheses),
    "blocks of one statement": _only(in_blocks),
    "empty statements": _behind_each(";"),
    "`(void)0;`": _behind_each("(void)0;"),
    "`static_assert(true);`": _behind_each("static_assert(true);"),
    "calls of nothing": _behind_each("nothing(#, 0);"),
    **COMPOUND,
    "`if (false)`": _only(padded),
    "unused variables": _only(with_unused_variables),
    "`#if 0`": _only(with_dead_code),
    "all of them": all_of_them,
}
