// A dense row-major array of numbers on the judge's side: an input, an expected output, or what
// came back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "judge/arrays/bfloat16.h"

namespace judge {

enum class ElementType { uint8, int32, float32, bfloat16 };

constexpr std::size_t size_of(ElementType type) {
  if (type == ElementType::uint8) return 1;
  return type == ElementType::bfloat16 ? 2 : 4;
}

template <class T>
inline constexpr ElementType element_type = T::not_an_element_type;
template <>
inline constexpr ElementType element_type<std::uint8_t> = ElementType::uint8;
template <>
inline constexpr ElementType element_type<std::int32_t> = ElementType::int32;
template <>
inline constexpr ElementType element_type<float> = ElementType::float32;
template <>
inline constexpr ElementType element_type<Bfloat16> = ElementType::bfloat16;

struct Tensor {
  ElementType type = ElementType::int32;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;

  std::size_t size() const { return bytes.size() / size_of(type); }

  template <class T>
  T at(std::size_t index) const {
    T element;
    std::memcpy(&element, bytes.data() + index * sizeof(T), sizeof(T));
    return element;
  }
};

template <class T>
Tensor tensor(std::vector<std::size_t> shape, const std::vector<T>& elements) {
  Tensor made{element_type<T>, std::move(shape), {}};
  made.bytes.resize(elements.size() * sizeof(T));
  if (!elements.empty()) std::memcpy(made.bytes.data(), elements.data(), made.bytes.size());
  return made;
}

// What an output holds before the call: a value that reads as a mistake at once (a NaN where the
// type has one) and that no right answer has; of bytes, one in 256 has it.
Tensor poison(ElementType type, std::vector<std::size_t> shape);
bool is_poison(const Tensor& tensor, std::size_t index);

// "[3][17]", the way C writes the element's place.
std::string place(const Tensor& tensor, std::size_t index);
// The element as a person would write it.
std::string element_text(const Tensor& tensor, std::size_t index);

}  // namespace judge
