"""Without the types of what is declared: `auto` may stand for any, a cast may add one, and a declaration may
stand ahead of its value. And `a < b` is said as `b > a` is.
"""

from collections.abc import Sequence
from dataclasses import replace

from staff.similarity.tokens import Token

TYPES = """
    auto bool char double float int long short signed unsigned void
    size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
    const constexpr inline static volatile
"""
LEFT_OUT = frozenset(TYPES.split())
SAID = {">": "<", ">=": "<="}


def without_types(tokens: Sequence[Token]) -> list[Token]:
    return [replace(token, said=SAID.get(token.said, token.said)) for token in tokens if token.said not in LEFT_OUT]
