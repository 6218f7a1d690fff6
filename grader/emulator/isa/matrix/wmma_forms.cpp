#include "emulator/isa/matrix/wmma_forms.h"

#include <algorithm>

namespace tmaemu {
namespace {

using tensor::Element;

// Bits of a cell's number; see Fragment::along.
constexpr unsigned none = 0b000, first = 0b001, second = 0b010;

struct Layout {
  unsigned element_bits;
  MatrixShape shape;
  Fragments fragments;
};

constexpr Layout layouts[] = {
    {16, {16, 16, 16}, {{4, second}, {4, first}, {4, second}}},
    {16, {32, 8, 16}, {{8, second}, {2, first}, {4, none}}},
    {16, {8, 32, 16}, {{2, first}, {8, second}, {4, none, true}}},
    {32, {16, 16, 8}, {{4, second}, {4, first}, {4, second}}},
    {8, {16, 16, 16}, {{2, none}, {2, none}, {4, second}}},
    {8, {32, 8, 16}, {{4, none}, {1, none}, {4, none}}},
    {8, {8, 32, 16}, {{1, none}, {4, none}, {4, none, true}}},
    {4, {8, 8, 32}, {{1, none}, {1, none}, {1, none}}},
    {1, {8, 8, 128}, {{1, none}, {1, none}, {1, none}}},
    {64, {8, 8, 4}, {{1, none}, {1, none}, {1, none}}},
};

}  // namespace

Fragments wmma_fragments(Element type, const MatrixShape& shape) {
  const auto* const found = std::ranges::find_if(layouts, [&](const Layout& layout) {
    return layout.element_bits == tensor::bits_of(type) && layout.shape.m == shape.m &&
           layout.shape.n == shape.n && layout.shape.k == shape.k;
  });
  return found->fragments;
}

unsigned wmma_factor_registers(Element type, unsigned cells) {
  constexpr unsigned of_f16 = 8;
  return type == Element::f16 ? of_f16 : cells;
}

}  // namespace tmaemu
