// Cases in words, for reports of mismatches.
#include <sstream>

#include "tests/conformance/tma_cases.h"
#include "tests/conformance/tma_forms.h"

namespace conformance {

std::string text(const MapArguments& map) {
  std::ostringstream out;
  const auto list = [&](const char* name, const auto& values, std::uint32_t count) {
    out << " " << name << " {";
    for (std::uint32_t i = 0; i < count && i < values.size(); ++i)
      out << (i ? ", " : "") << values[i];
    out << "}";
  };
  out << "type " << map.type << " rank " << map.rank << " interleave " << map.interleave
      << " swizzle " << map.swizzle << " l2 " << map.l2_promotion << " fill " << map.fill
      << " address 0x" << std::hex << map.address << std::dec;
  list("size", map.size, map.rank);
  list("stride", map.stride, map.rank == 0 ? 0 : map.rank - 1);
  if (map.is_im2col) {
    const std::uint32_t corners = map.rank < 2 ? 0 : map.rank - 2;
    list("lower corner", map.lower, corners);
    list("upper corner", map.upper, corners);
    out << " channels " << map.channels << " pixels " << map.pixels;
  } else {
    list("box", map.box, map.rank);
  }
  list("elementStrides", map.element_stride, map.rank);
  return out.str();
}

std::string text(const Case& c) {
  constexpr const char* names[kinds] = {"tensor load",
                                        "tensor store",
                                        "tensor reduce",
                                        "bulk load",
                                        "bulk store",
                                        "bulk reduce",
                                        "bulk copy within shared memory",
                                        "bulk reduce to shared memory"};
#define NAME(name) name,
#define BULK_NAME(name, values) name,
  constexpr const char* tensor[] = {TENSOR_REDUCE(NAME)};
  constexpr const char* global[] = {BULK_REDUCE_TO_GLOBAL(BULK_NAME)};
  constexpr const char* shared[] = {BULK_REDUCE_TO_SHARED(BULK_NAME)};
#undef NAME
#undef BULK_NAME
  const Operation& operation = c.operation;
  std::ostringstream out;
  out << names[static_cast<int>(operation.kind)];
  if (operation.kind == Kind::tensor_reduce) out << " ." << tensor[operation.form];
  if (operation.kind == Kind::bulk_reduce) out << " ." << global[operation.form];
  if (operation.kind == Kind::bulk_reduce_shared) out << " ." << shared[operation.form];
  out << ", shared +" << operation.shared_offset << ", " << operation.bytes << " bytes";
  if (operation.cluster != 1) {
    out << ", cluster of " << operation.cluster << ", issued by " << operation.issuer;
    if (operation.multicast != 0) {
      out << ", multicast mask 0x" << std::hex << operation.multicast << std::dec;
    } else {
      out << ", to " << operation.target;
    }
  }
  if (operation.kind >= Kind::bulk_load) {
    out << ", second shared +" << operation.second_offset << ", global +"
        << operation.global_offset;
    return out.str();
  }
  if (c.map_is_missing) return out.str() + ", no tensor map";
  out << ", coordinates {";
  for (std::uint32_t d = 0; d < operation.rank; ++d)
    out << (d ? ", " : "") << operation.coordinates[d];
  out << "}";
  if (operation.is_im2col) {
    out << ", im2col offsets {" << operation.offsets[0] << ", " << operation.offsets[1] << ", "
        << operation.offsets[2] << "}";
  }
  return out.str() + ", " + text(c.map);
}

}  // namespace conformance
