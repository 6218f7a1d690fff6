"""A text of CUDA C++ as tokens that no renaming, macro, comment or line break changes."""

from dataclasses import dataclass

from staff.similarity.plain_macros import TooManyWords, expanded
from staff.similarity.words import words_of

# Names that say what a text does; every other one may be any.
WORDS = """
    alignas auto bool break case char const constexpr continue do double else float for if inline int long return short
    signed sizeof static struct switch template typename unsigned void volatile while
    __global__ __device__ __shared__ __host__ __launch_bounds__ __syncthreads __syncwarp
    threadIdx blockIdx blockDim gridDim asm
"""
KEPT = frozenset(WORDS.split())


@dataclass(frozen=True)
class Token:
    said: str
    line: int  # from 1


def tokens_of(text: str, known: frozenset[str] = frozenset()) -> list[Token]:
    """`known`: names that the course has given, which nobody renames. TooManyWords where nobody writes as many."""
    found: list[Token] = []
    for word in expanded(words_of(text)):
        if word.kind == "name":
            found.append(Token(word.text if word.text in KEPT or word.text in known else "name", word.line))
        else:
            found.append(Token(word.text if word.kind == "sign" else word.kind, word.line))
    return found


def has_too_many_words(text: str) -> bool:
    try:
        tokens_of(text)
    except TooManyWords:
        return True
    return False
