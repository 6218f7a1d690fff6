#include "judge/compare/geometry.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "common/text.h"

namespace judge {

using common::concat;

namespace {

// Fewer than this may be chance; fewer bytes than these may be where the values are those of
// before.
constexpr std::size_t fewest = 4;
constexpr std::size_t fewest_bytes = 4;
// How many places of one value are tried: an array of few values has too many.
constexpr std::size_t most_places = 64;
// Of tiles whose coordinates may be exchanged: elements of a row or of a column.
constexpr std::size_t smallest_tile = 4;
constexpr std::size_t largest_tile = 256;

std::uint32_t bits(const Tensor& tensor, std::size_t index) {
  std::uint32_t value = 0;
  const std::size_t width = size_of(tensor.type);
  std::memcpy(&value, tensor.bytes.data() + index * width, width);
  return value;
}

// An element's place by dimensions, as in Tensor::shape.
using Place = std::vector<std::size_t>;

Place place_of(const Tensor& tensor, std::size_t index) {
  Place place(tensor.shape.size());
  for (std::size_t d = place.size(); d-- > 0;) {
    place[d] = index % tensor.shape[d];
    index /= tensor.shape[d];
  }
  return place;
}

// The smallest box around the wrong elements.
struct Box {
  Place first, last;

  std::size_t size() const {
    std::size_t elements = 1;
    for (std::size_t d = 0; d < first.size(); ++d) elements *= last[d] - first[d] + 1;
    return elements;
  }
  std::string text() const {
    std::string text;
    for (std::size_t d = 0; d < first.size(); ++d) {
      text += first[d] == last[d] ? concat('[', first[d], ']')
                                  : concat('[', first[d], "..", last[d], ']');
    }
    return text;
  }
};

class Geometry {
 public:
  Geometry(const Comparison& comparison, std::string_view buffer, const Tensor& expected,
           const Tensor& got, const Tensor* before)
      : comparison_(comparison), buffer_(buffer), expected_(expected), got_(got), before_(before) {}

  std::string text() const {
    if (expected_.shape.empty()) return {};
    if (comparison_.mismatches < fewest) return untouched();
    std::string text = where();
    const std::string what = values();
    if (!text.empty() && !what.empty()) text += "; ";
    return text + what;
  }

 private:
  template <class Holds>
  bool all(Holds holds) const {
    for (std::size_t i = 0; i < comparison_.is_wrong.size(); ++i) {
      if (comparison_.is_wrong[i] && !holds(i)) return false;
    }
    return true;
  }

  std::string where() const {
    if (comparison_.mismatches == expected_.size()) return {};
    std::optional<Box> box;
    all([&](std::size_t i) {
      const Place place = place_of(expected_, i);
      if (!box) box = Box{place, place};
      for (std::size_t d = 0; d < place.size(); ++d) {
        box->first[d] = std::min(box->first[d], place[d]);
        box->last[d] = std::max(box->last[d], place[d]);
      }
      return true;
    });
    if (!box || box->size() != comparison_.mismatches) return {};
    return concat("they fill ", buffer_, box->text());
  }

  std::string values() const {
    if (comparison_.unwritten == comparison_.mismatches) return {};  // that is said already
    if (all([&](std::size_t i) { return bits(got_, i) == 0; })) return "each of them is 0";
    if (std::string text = untouched(); !text.empty()) return text;
    if (is_transposed()) return transposition();
    if (std::string text = exchanged_tiles(); !text.empty()) return text;
    if (const auto distance = shift()) {
      return concat("each holds what belongs at ", buffer_, shifted(*distance));
    }
    if (is_row_in_another_order()) return "each row holds its own values, in another order";
    return {};
  }

  std::string untouched() const {
    if (before_ == nullptr || comparison_.mismatches * size_of(got_.type) < fewest_bytes) return {};
    const bool as_before = all([&](std::size_t i) { return bits(got_, i) == bits(*before_, i); });
    return as_before ? concat(comparison_.mismatches == 1 ? "it" : "each",
                              " holds what was there before the launch")
                     : "";
  }

  // Also where rows and columns differ in number: then the array holds a matrix of another shape.
  bool is_transposed() const {
    if (expected_.shape.size() != 2 || expected_.shape[0] < 2 || expected_.shape[1] < 2) {
      return false;
    }
    const std::size_t rows = expected_.shape[0];
    const std::size_t columns = expected_.shape[1];
    return all([&](std::size_t i) {
      return bits(got_, i) == bits(expected_, i % rows * columns + i / rows);
    });
  }

  std::string transposition() const {
    const auto [rows, columns] = std::pair(expected_.shape[0], expected_.shape[1]);
    if (rows == columns) {
      return concat("right values, transposed: each holds what belongs at ", buffer_, "[j][i]");
    }
    return concat("right values, transposed: what lies at ", buffer_, "[j * ", rows,
                  " + i], counted from its beginning, belongs at [i * ", columns, " + j]");
  }

  // Tiles that were loaded or stored with their two coordinates exchanged. What such a tile has
  // outside of the matrix is 0.
  std::string exchanged_tiles() const {
    if (expected_.shape.size() != 2) return {};
    const std::size_t rows = expected_.shape[0];
    const std::size_t columns = expected_.shape[1];
    for (std::size_t height = smallest_tile; height <= std::min(rows, largest_tile); height *= 2) {
      for (std::size_t width = smallest_tile; width <= std::min(columns, largest_tile);
           width *= 2) {
        std::size_t inside = 0;
        const bool fits = all([&](std::size_t i) {
          const std::size_t y = i / columns, x = i % columns;
          const std::size_t from_y = x / width * width + y % height;
          const std::size_t from_x = y / height * height + x % width;
          if (from_y >= rows || from_x >= columns) return bits(got_, i) == 0;
          ++inside;
          return bits(got_, i) == bits(expected_, from_y * columns + from_x);
        });
        if (!fits || inside < fewest) continue;
        return concat("right values at exchanged coordinates: the tile of ", height, " x ", width,
                      " at row r, column c holds what belongs at row c, column r");
      }
    }
    return {};
  }

  // How far away the values belong: the same for all of them.
  std::optional<std::int64_t> shift() const {
    const std::size_t first = comparison_.first.front();
    const std::uint32_t value = bits(got_, first);
    std::size_t tried = 0;
    for (std::size_t k = 0; k < expected_.size() && tried < most_places; ++k) {
      if (bits(expected_, k) != value) continue;
      ++tried;
      const auto distance = static_cast<std::int64_t>(k) - static_cast<std::int64_t>(first);
      const bool fits = all([&](std::size_t i) {
        const std::int64_t from = static_cast<std::int64_t>(i) + distance;
        return from >= 0 && from < static_cast<std::int64_t>(expected_.size()) &&
               bits(got_, i) == bits(expected_, static_cast<std::size_t>(from));
      });
      if (fits) return distance;
    }
    return std::nullopt;
  }

  // "[i + 8][j]", of a distance in elements.
  std::string shifted(std::int64_t distance) const {
    static constexpr const char* names[] = {"i", "j", "k", "l", "m"};
    std::string text;
    for (std::size_t d = expected_.shape.size(); d-- > 0;) {
      const auto size = static_cast<std::int64_t>(expected_.shape[d]);
      std::int64_t step = distance;
      if (d > 0) {
        step = distance % size;
        if (step > size / 2) step -= size;
        if (step < -size / 2) step += size;
        distance = (distance - step) / size;
      }
      const std::string name = d < std::size(names) ? names[d] : "...";
      text.insert(0, step == 0 ? concat('[', name, ']')
                               : concat('[', name, step < 0 ? " - " : " + ", std::abs(step), ']'));
    }
    return text;
  }

  // A swizzle that is not undone, for example.
  bool is_row_in_another_order() const {
    const std::size_t row = expected_.shape.back();
    if (expected_.shape.size() < 2 || row < 2) return false;
    std::vector<std::uint32_t> wanted(row), given(row);
    for (std::size_t first = 0; first < expected_.size(); first += row) {
      for (std::size_t i = 0; i < row; ++i) {
        wanted[i] = bits(expected_, first + i);
        given[i] = bits(got_, first + i);
      }
      std::ranges::sort(wanted);
      std::ranges::sort(given);
      if (wanted != given) return false;
    }
    return true;
  }

  const Comparison& comparison_;
  std::string_view buffer_;
  const Tensor& expected_;
  const Tensor& got_;
  const Tensor* before_;
};

}  // namespace

std::string geometry_of(const Comparison& comparison, std::string_view buffer,
                        const Tensor& expected, const Tensor& got, const Tensor* before) {
  return Geometry(comparison, buffer, expected, got, before).text();
}

}  // namespace judge
