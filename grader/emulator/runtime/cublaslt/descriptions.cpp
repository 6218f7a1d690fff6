// cublasLt, "cublasLt Datatypes Reference": what products are described with.
#include "emulator/runtime/cublaslt/descriptions.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "emulator/runtime/blas/library.h"
#include "emulator/runtime/cublaslt/attributes.h"
#include "emulator/runtime/state/error.h"

using namespace tmaemu::runtime;

namespace {

// The row of a member.
#define ATTRIBUTE(NUMBER, TYPE, MEMBER)                  \
  Attribute {                                            \
    NUMBER, offsetof(TYPE, MEMBER), sizeof(TYPE::MEMBER) \
  }

// And of one of several.
template <class Array>
constexpr Attribute one_of(int number, std::size_t offset, std::size_t index) {
  constexpr std::size_t size = sizeof(typename Array::value_type);
  return {number, offset + index * size, size};
}

// cublasLtMatrixLayoutAttribute_t.
constexpr Attribute layout_attributes[] = {
    ATTRIBUTE(0, MatrixLayout, type),         ATTRIBUTE(1, MatrixLayout, order),
    ATTRIBUTE(2, MatrixLayout, rows),         ATTRIBUTE(3, MatrixLayout, columns),
    ATTRIBUTE(4, MatrixLayout, leading),      ATTRIBUTE(5, MatrixLayout, batch_count),
    ATTRIBUTE(6, MatrixLayout, batch_stride), ATTRIBUTE(7, MatrixLayout, plane_offset),
    ATTRIBUTE(8, MatrixLayout, batch_mode),
};

constexpr std::size_t scales = offsetof(MatmulDescription, scales);
constexpr std::size_t scale_modes = offsetof(MatmulDescription, scale_modes);
using Scales = decltype(MatmulDescription::scales);
using ScaleModes = decltype(MatmulDescription::scale_modes);

// cublasLtMatmulDescAttributes_t.
constexpr Attribute product_attributes[] = {
    ATTRIBUTE(0, MatmulDescription, compute),
    ATTRIBUTE(1, MatmulDescription, scale),
    ATTRIBUTE(2, MatmulDescription, pointer_mode),
    ATTRIBUTE(3, MatmulDescription, transpose_a),
    ATTRIBUTE(4, MatmulDescription, transpose_b),
    ATTRIBUTE(5, MatmulDescription, transpose_c),
    ATTRIBUTE(6, MatmulDescription, fill_mode),
    ATTRIBUTE(7, MatmulDescription, epilogue),
    ATTRIBUTE(8, MatmulDescription, bias),
    ATTRIBUTE(10, MatmulDescription, bias_batch_stride),
    ATTRIBUTE(15, MatmulDescription, sm_count_target),
    one_of<Scales>(17, scales, 0),
    one_of<Scales>(18, scales, 1),
    one_of<Scales>(19, scales, 2),
    one_of<Scales>(20, scales, 3),
    ATTRIBUTE(21, MatmulDescription, largest),
    ATTRIBUTE(25, MatmulDescription, fast_accumulation),
    ATTRIBUTE(26, MatmulDescription, bias_type),
    one_of<ScaleModes>(31, scale_modes, 0),
    one_of<ScaleModes>(32, scale_modes, 1),
    one_of<ScaleModes>(33, scale_modes, 2),
    one_of<ScaleModes>(34, scale_modes, 3),
};

constexpr std::size_t alignments = offsetof(MatmulPreference, least_alignments);
using Alignments = decltype(MatmulPreference::least_alignments);

// cublasLtMatmulPreferenceAttributes_t.
constexpr Attribute preference_attributes[] = {
    ATTRIBUTE(0, MatmulPreference, search_mode),
    ATTRIBUTE(1, MatmulPreference, most_workspace),
    ATTRIBUTE(3, MatmulPreference, reduction_schemes),
    one_of<Alignments>(5, alignments, 0),
    one_of<Alignments>(6, alignments, 1),
    one_of<Alignments>(7, alignments, 2),
    one_of<Alignments>(8, alignments, 3),
    ATTRIBUTE(9, MatmulPreference, most_waves),
    ATTRIBUTE(12, MatmulPreference, implementations),
};

template <class Description>
int begin(void* memory, std::size_t size, const Description& description) {
  return blas_call([&] {
    if (any_null(memory) || size < opaque_size<Description>) return BlasStatus::invalid_value;
    std::memset(memory, 0, size);
    std::memcpy(memory, &description, sizeof description);
    return BlasStatus::success;
  });
}

// A program may copy what it is given as a whole, as it may its own.
template <class Description>
int create(void** handle, const Description& description) {
  return blas_call([&] {
    if (any_null(handle)) return BlasStatus::invalid_value;
    void* const memory = std::calloc(1, opaque_size<Description>);
    if (memory == nullptr) return BlasStatus::alloc_failed;
    *handle = memory;
    std::memcpy(memory, &description, sizeof description);
    return BlasStatus::success;
  });
}

int destroy(void* description) {
  std::free(description);
  return static_cast<int>(BlasStatus::success);
}

MatrixLayout layout_of(int type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  MatrixLayout layout;
  layout.type = type;
  layout.rows = rows;
  layout.columns = columns;
  layout.leading = leading;
  return layout;
}

MatmulDescription description_of(int compute, int scale) {
  MatmulDescription description;
  description.compute = compute;
  description.scale = scale;
  return description;
}

}  // namespace

extern "C" {

int cublasLtMatrixLayoutInit_internal(void* layout, std::size_t size, int type, std::uint64_t rows,
                                      std::uint64_t columns, std::int64_t leading) {
  return begin(layout, size, layout_of(type, rows, columns, leading));
}

int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                               std::int64_t leading) {
  return create(layout, layout_of(type, rows, columns, leading));
}

int cublasLtMatrixLayoutDestroy(void* layout) {
  return destroy(layout);
}

int cublasLtMatrixLayoutSetAttribute(void* layout, int attribute, const void* from,
                                     std::size_t size) {
  return set_attribute(__func__, layout_attributes, layout, attribute, from, size);
}

int cublasLtMatrixLayoutGetAttribute(const void* layout, int attribute, void* to, std::size_t size,
                                     std::size_t* written) {
  return get_attribute(__func__, layout_attributes, layout, attribute, to, size, written);
}

int cublasLtMatmulDescInit_internal(void* description, std::size_t size, int compute, int scale) {
  return begin(description, size, description_of(compute, scale));
}

int cublasLtMatmulDescCreate(void** description, int compute, int scale) {
  return create(description, description_of(compute, scale));
}

int cublasLtMatmulDescDestroy(void* description) {
  return destroy(description);
}

int cublasLtMatmulDescSetAttribute(void* description, int attribute, const void* from,
                                   std::size_t size) {
  return set_attribute(__func__, product_attributes, description, attribute, from, size);
}

int cublasLtMatmulDescGetAttribute(const void* description, int attribute, void* to,
                                   std::size_t size, std::size_t* written) {
  return get_attribute(__func__, product_attributes, description, attribute, to, size, written);
}

int cublasLtMatmulPreferenceInit_internal(void* preference, std::size_t size) {
  return begin(preference, size, MatmulPreference{});
}

int cublasLtMatmulPreferenceCreate(void** preference) {
  return create(preference, MatmulPreference{});
}

int cublasLtMatmulPreferenceDestroy(void* preference) {
  return destroy(preference);
}

int cublasLtMatmulPreferenceSetAttribute(void* preference, int attribute, const void* from,
                                         std::size_t size) {
  return set_attribute(__func__, preference_attributes, preference, attribute, from, size);
}

int cublasLtMatmulPreferenceGetAttribute(const void* preference, int attribute, void* to,
                                         std::size_t size, std::size_t* written) {
  return get_attribute(__func__, preference_attributes, preference, attribute, to, size, written);
}

}  // extern "C"
