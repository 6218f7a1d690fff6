// Attributes of what cublasLt is described to with: each is a number of a size, at a place.
#pragma once

#include <cstddef>
#include <span>

namespace tmaemu::runtime {

struct Attribute {
  int number;  // of the header's enumeration
  std::size_t offset;
  std::size_t size;
};

// cublasLt...SetAttribute and ...GetAttribute, on what lies at `description`. What is in no row of
// `known` is refused by its number, as not modeled.
int set_attribute(const char* call, std::span<const Attribute> known, void* description, int number,
                  const void* from, std::size_t size);
int get_attribute(const char* call, std::span<const Attribute> known, const void* description,
                  int number, void* to, std::size_t size, std::size_t* written);

}  // namespace tmaemu::runtime
