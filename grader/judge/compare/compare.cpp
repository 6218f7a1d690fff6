#include "judge/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/hexadecimal.h"
#include "common/text.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

constexpr std::size_t places_kept = 4;

// The element as a number; every element type fits into a double.
double value(const Tensor& tensor, std::size_t index) {
  switch (tensor.type) {
    case ElementType::uint8:
      return tensor.at<std::uint8_t>(index);
    case ElementType::int32:
      return tensor.at<std::int32_t>(index);
    case ElementType::float32:
      return tensor.at<float>(index);
    case ElementType::bfloat16:
      return tensor.at<Bfloat16>(index).value();
  }
  return 0;
}

// As memcmp does it, which is many times as fast as the library's comparison of two vectors of
// bytes.
bool are_same_bytes(const Tensor& a, const Tensor& b) {
  return a.bytes.size() == b.bytes.size() &&
         (a.bytes.empty() || std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0);
}

bool same_bits(const Tensor& a, const Tensor& b, std::size_t index) {
  const std::size_t width = size_of(a.type);
  return std::memcmp(a.bytes.data() + index * width, b.bytes.data() + index * width, width) == 0;
}

bool matches(const Tensor& expected, const Tensor& got, std::size_t index, Tolerance tolerance,
             Nans nans) {
  if (same_bits(expected, got, index)) return true;
  if (is_poison(got, index)) return false;  // which is a NaN, but nobody's result
  const double wanted = value(expected, index);
  const double given = value(got, index);
  if (std::isnan(wanted) || std::isnan(given)) {
    return nans == Nans::equal && std::isnan(wanted) && std::isnan(given);
  }
  if (tolerance.is_exact() || std::isinf(wanted) || std::isinf(given)) return false;
  return std::abs(given - wanted) <= tolerance.relative * std::abs(wanted) + tolerance.absolute;
}

// Whether nobody seems to have written the element. Of single bytes one in 256 looks so by chance,
// right ones among them: there it takes several in a row, or all that there are.
bool seems_unwritten(const Tensor& got, std::size_t index) {
  if (!is_poison(got, index)) return false;
  if (size_of(got.type) > 1) return true;
  constexpr std::size_t enough = 4;
  std::size_t first = index;
  std::size_t end = index + 1;
  while (first > 0 && end - first < enough && is_poison(got, first - 1)) --first;
  while (end < got.size() && end - first < enough && is_poison(got, end)) ++end;
  return end - first >= std::min(enough, got.size());
}

// Of two NaNs the bits tell which is which.
std::string text_of(const Tensor& tensor, std::size_t index, bool with_bits) {
  std::string text = element_text(tensor, index);
  if (!with_bits) return text;
  std::uint32_t bits = 0;
  std::memcpy(&bits, tensor.bytes.data() + index * size_of(tensor.type), size_of(tensor.type));
  return concat(text, " (", common::hexadecimal(bits), ')');
}

}  // namespace

Comparison compare(const Tensor& expected, const Tensor& got, Tolerance tolerance,
                   const Tensor* or_else, Nans nans) {
  Comparison result;
  if (are_same_bytes(expected, got)) return result;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (matches(expected, got, i, tolerance, nans)) continue;
    if (or_else != nullptr && matches(*or_else, got, i, tolerance, nans)) continue;
    if (result.is_wrong.empty()) result.is_wrong.resize(expected.size());
    result.is_wrong[i] = true;
    ++result.mismatches;
    if (seems_unwritten(got, i)) ++result.unwritten;
    if (result.first.size() < places_kept) result.first.push_back(i);
  }
  return result;
}

std::string describe(const Comparison& comparison, std::string_view buffer, const Tensor& expected,
                     const Tensor& got, std::span<const std::string> element_names) {
  std::string text = concat(comparison.mismatches, " of ", counted(expected.size(), "element"),
                            comparison.mismatches == 1 ? " is" : " are", " wrong");
  if (comparison.unwritten > 0) text += concat(" (", comparison.unwritten, " never written)");
  const char* separator = ": ";
  for (const std::size_t i : comparison.first) {
    const bool is_written = !is_poison(got, i);
    const bool nans = is_written && std::isnan(value(expected, i)) && std::isnan(value(got, i));
    const std::string field =
        i < element_names.size() ? concat(" (", element_names[i], ')') : std::string();
    text += concat(separator, buffer, place(expected, i), field, ": expected ",
                   text_of(expected, i, nans), ", got ", text_of(got, i, nans),
                   seems_unwritten(got, i) ? " (never written)" : "");
    separator = "; ";
  }
  if (comparison.mismatches > comparison.first.size()) text += "; ...";
  return text;
}

}  // namespace judge
