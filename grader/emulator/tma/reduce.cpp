#include "emulator/tma/reduce.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <string>

#include "emulator/numeric/extremum.h"
#include "emulator/numeric/sum.h"

namespace tmaemu::tma {
namespace {

template <class Element, class Combine>
void combine_each(std::span<std::byte> destination, std::span<const std::byte> source,
                  Combine combine) {
  assert(destination.size() == source.size() && source.size() % sizeof(Element) == 0);
  for (std::size_t offset = 0; offset < source.size(); offset += sizeof(Element)) {
    Element old;
    Element operand;
    std::memcpy(&old, destination.data() + offset, sizeof old);
    std::memcpy(&operand, source.data() + offset, sizeof operand);
    const Element result = combine(old, operand);
    std::memcpy(destination.data() + offset, &result, sizeof result);
  }
}

[[noreturn]] void unsupported() {
  throw std::logic_error("a reduction that is_supported() refuses reached reduce()");
}

// T is unsigned where the operation is add, so that overflow wraps.
template <class T>
void reduce_integers(ReduceOperation operation, std::span<std::byte> destination,
                     std::span<const std::byte> source) {
  const auto each = [&](auto combine) { combine_each<T>(destination, source, combine); };
  switch (operation) {
    case ReduceOperation::add:
      using Unsigned = std::make_unsigned_t<T>;
      return combine_each<Unsigned>(destination, source,
                                    [](Unsigned a, Unsigned b) -> Unsigned { return a + b; });
    case ReduceOperation::min:
      return each([](T a, T b) { return std::min(a, b); });
    case ReduceOperation::max:
      return each([](T a, T b) { return std::max(a, b); });
    case ReduceOperation::inc:
      return each([](T a, T b) -> T { return a >= b ? 0 : a + 1; });
    case ReduceOperation::dec:
      return each([](T a, T b) -> T { return a == 0 || a > b ? b : a - 1; });
    case ReduceOperation::bit_and:
      return each([](T a, T b) -> T { return a & b; });
    case ReduceOperation::bit_or:
      return each([](T a, T b) -> T { return a | b; });
    case ReduceOperation::bit_xor:
      return each([](T a, T b) -> T { return a ^ b; });
  }
}

template <class T>
void reduce_halves(ReduceOperation operation, std::span<std::byte> destination,
                   std::span<const std::byte> source) {
  switch (operation) {
    case ReduceOperation::add:
      return combine_each<T>(destination, source, sum<T>);
    case ReduceOperation::min:
      return combine_each<T>(destination, source, extremum<ExtremumForm{Extremum::minimum}, T>);
    case ReduceOperation::max:
      return combine_each<T>(destination, source, extremum<ExtremumForm{Extremum::maximum}, T>);
    default:
      unsupported();
  }
}

bool is_bitwise(ReduceOperation operation) {
  return operation >= ReduceOperation::bit_and;
}

bool has_32_bits(ReduceType type) {
  return type == ReduceType::u32 || type == ReduceType::s32 || type == ReduceType::b32;
}

bool has_64_unsigned_bits(ReduceType type) {
  return type == ReduceType::u64 || type == ReduceType::b64;
}

const char* name_of(ReduceOperation operation) {
  constexpr const char* names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
  return names[static_cast<int>(operation)];
}

}  // namespace

std::size_t size_of(ReduceType type) {
  switch (type) {
    case ReduceType::f16:
    case ReduceType::bf16:
      return 2;
    case ReduceType::u32:
    case ReduceType::s32:
    case ReduceType::b32:
    case ReduceType::f32:
    case ReduceType::f32_ftz:
      return 4;
    default:
      return 8;
  }
}

bool is_supported(ReduceOperation operation, ReduceType type, ReduceTarget target) {
  const bool global = target == ReduceTarget::global;
  if (is_bitwise(operation)) return has_32_bits(type) || (global && has_64_unsigned_bits(type));
  switch (type) {
    case ReduceType::u32:
      return true;
    case ReduceType::s32:
      return operation <= ReduceOperation::max;
    case ReduceType::u64:
      return operation == ReduceOperation::add || (global && operation <= ReduceOperation::max);
    case ReduceType::s64:
      return global && (operation == ReduceOperation::min || operation == ReduceOperation::max);
    case ReduceType::f16:
    case ReduceType::bf16:
      return global && operation <= ReduceOperation::max;
    case ReduceType::f32:
    case ReduceType::f32_ftz:
    case ReduceType::f64:
      return global && operation == ReduceOperation::add;
    default:
      return false;
  }
}

std::uint8_t reduction_number(ReduceOperation operation, ReduceType type) {
  // Sums of two's complement are the same with and without a sign; bits have none.
  const auto format = [&] {
    switch (type) {
      case ReduceType::s32:
        return operation == ReduceOperation::add ? ReduceType::u32 : type;
      case ReduceType::s64:
        return operation == ReduceOperation::add ? ReduceType::u64 : type;
      case ReduceType::b32:
        return ReduceType::u32;
      case ReduceType::b64:
        return ReduceType::u64;
      case ReduceType::f32_ftz:
        return ReduceType::f32;
      default:
        return type;
    }
  };
  constexpr int formats = 16;
  const int number = static_cast<int>(operation) * formats + static_cast<int>(format()) + 1;
  return static_cast<std::uint8_t>(number);
}

common::Result<ReduceType> reduce_type_of(ReduceOperation operation, DataType type) {
  const auto checked = [&](ReduceType element) -> common::Result<ReduceType> {
    if (is_supported(operation, element)) return element;
    return common::Error{std::string("a tensor reduction cannot apply .") + name_of(operation) +
                         " to a tensor map of data type " + tma::name_of(type)};
  };
  switch (type) {
    case DataType::u32:
      return checked(ReduceType::u32);
    case DataType::s32:
      return checked(ReduceType::s32);
    case DataType::u64:
      return checked(ReduceType::u64);
    case DataType::s64:
      return checked(ReduceType::s64);
    case DataType::f16:
      return checked(ReduceType::f16);
    case DataType::bf16:
      return checked(ReduceType::bf16);
    case DataType::f64:
      return checked(ReduceType::f64);
    // TFLOAT32 adds as FLOAT32 does, all 24 significant bits.
    case DataType::f32:
    case DataType::tf32:
      return checked(ReduceType::f32);
    case DataType::f32_ftz:
    case DataType::tf32_ftz:
      return checked(ReduceType::f32_ftz);
    default:
      return common::Error{
          std::string("a tensor reduction cannot work on a tensor map of data type ") +
          tma::name_of(type)};
  }
}

void reduce(ReduceOperation operation, ReduceType type, std::span<std::byte> destination,
            std::span<const std::byte> source) {
  if (!is_supported(operation, type)) unsupported();
  switch (type) {
    case ReduceType::b32:
    case ReduceType::u32:
      return reduce_integers<std::uint32_t>(operation, destination, source);
    case ReduceType::s32:
      return reduce_integers<std::int32_t>(operation, destination, source);
    case ReduceType::b64:
    case ReduceType::u64:
      return reduce_integers<std::uint64_t>(operation, destination, source);
    case ReduceType::s64:
      return reduce_integers<std::int64_t>(operation, destination, source);
    case ReduceType::f32:
      return combine_each<f32>(destination, source, sum<f32>);
    case ReduceType::f32_ftz:
      return combine_each<f32>(destination, source, flushing_sum);
    case ReduceType::f64:
      return combine_each<u64>(destination, source, sum_in_memory);
    case ReduceType::f16:
      return reduce_halves<tmaemu::f16>(operation, destination, source);
    case ReduceType::bf16:
      return reduce_halves<tmaemu::bf16>(operation, destination, source);
  }
}

}  // namespace tmaemu::tma
