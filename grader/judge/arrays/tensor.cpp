#include "judge/arrays/tensor.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "common/text.h"

namespace judge {

using common::concat;

namespace {

constexpr std::uint8_t poison_uint8 = 0xA5;
constexpr std::uint32_t poison_int32 = 0xA5A5A5A5;
constexpr std::uint32_t poison_float32 = 0x7FA5A5A5;
constexpr std::uint16_t poison_bfloat16 = 0x7FA5;

std::uint32_t poison_bits(ElementType type) {
  switch (type) {
    case ElementType::uint8:
      return poison_uint8;
    case ElementType::int32:
      return poison_int32;
    case ElementType::float32:
      return poison_float32;
    case ElementType::bfloat16:
      return poison_bfloat16;
  }
  return poison_int32;
}

}  // namespace

Tensor poison(ElementType type, std::vector<std::size_t> shape) {
  const std::size_t count =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  Tensor poisoned{type, std::move(shape), std::vector<std::byte>(count * size_of(type))};
  const std::uint32_t bits = poison_bits(type);
  std::byte* const bytes = poisoned.bytes.data();
  std::memcpy(bytes, &bits, std::min(size_of(type), poisoned.bytes.size()));
  // What is filled is doubled: element by element it would take longer than the array's copy.
  for (std::size_t done = size_of(type); done < poisoned.bytes.size(); done *= 2) {
    std::memcpy(bytes + done, bytes, std::min(done, poisoned.bytes.size() - done));
  }
  return poisoned;
}

bool is_poison(const Tensor& tensor, std::size_t index) {
  const std::uint32_t bits = poison_bits(tensor.type);
  const std::size_t width = size_of(tensor.type);
  return std::memcmp(tensor.bytes.data() + index * width, &bits, width) == 0;
}

std::string place(const Tensor& tensor, std::size_t index) {
  std::string text;
  for (std::size_t d = tensor.shape.size(); d-- > 0;) {
    text.insert(0, concat('[', index % tensor.shape[d], ']'));
    index /= tensor.shape[d];
  }
  return text;
}

std::string element_text(const Tensor& tensor, std::size_t index) {
  std::ostringstream out;
  switch (tensor.type) {
    case ElementType::uint8:
      out << int{tensor.at<std::uint8_t>(index)};
      break;
    case ElementType::int32:
      out << tensor.at<std::int32_t>(index);
      break;
    case ElementType::float32:
      out.precision(9);  // as many digits as it takes to tell any two of them apart
      out << tensor.at<float>(index);
      break;
    case ElementType::bfloat16:
      out << tensor.at<Bfloat16>(index).value();
      break;
  }
  return out.str();
}

}  // namespace judge
