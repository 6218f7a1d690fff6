#include "emulator/runtime/cublaslt/attributes.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {
namespace {

const Attribute* find(const char* call, std::span<const Attribute> known, int number) {
  const auto found = std::ranges::find(known, number, &Attribute::number);
  if (found != known.end()) return &*found;
  refuse(BlasStatus::not_supported, call,
         "attribute " + std::to_string(number) + " of cublasLt.h is not modeled");
  return nullptr;
}

BlasStatus refuse_size(const char* call, const Attribute& attribute, std::size_t size) {
  return refuse(BlasStatus::invalid_value, call,
                "attribute " + std::to_string(attribute.number) + " has " +
                    std::to_string(attribute.size) + " bytes, not " + std::to_string(size));
}

}  // namespace

int set_attribute(const char* call, std::span<const Attribute> known, void* description, int number,
                  const void* from, std::size_t size) {
  return blas_call([&] {
    if (any_null(description, from)) return BlasStatus::invalid_value;
    const Attribute* const attribute = find(call, known, number);
    if (attribute == nullptr) return BlasStatus::not_supported;
    if (size != attribute->size) return refuse_size(call, *attribute, size);
    std::memcpy(static_cast<std::byte*>(description) + attribute->offset, from, size);
    return BlasStatus::success;
  });
}

int get_attribute(const char* call, std::span<const Attribute> known, const void* description,
                  int number, void* to, std::size_t size, std::size_t* written) {
  return blas_call([&] {
    if (any_null(description)) return BlasStatus::invalid_value;
    const Attribute* const attribute = find(call, known, number);
    if (attribute == nullptr) return BlasStatus::not_supported;
    if (size == 0 ? any_null(written) : any_null(to)) return BlasStatus::invalid_value;
    if (size != 0 && size < attribute->size) return refuse_size(call, *attribute, size);
    if (written != nullptr) *written = attribute->size;
    if (size != 0) {
      std::memcpy(to, static_cast<const std::byte*>(description) + attribute->offset,
                  attribute->size);
    }
    return BlasStatus::success;
  });
}

}  // namespace tmaemu::runtime
