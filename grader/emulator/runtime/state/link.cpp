#include "emulator/runtime/state/link.h"

#include <fstream>
#include <iterator>
#include <span>
#include <utility>

#include "emulator/fatbin/fatbin.h"
#include "emulator/runtime/state/library.h"

namespace tmaemu::runtime {
namespace {

const char* kind_of(LinkInput type) {
  switch (type) {
    case LinkInput::machine_code:
      return "machine code (CU_JIT_INPUT_CUBIN)";
    case LinkInput::object:
      return "a host's object file (CU_JIT_INPUT_OBJECT)";
    case LinkInput::library:
      return "a library (CU_JIT_INPUT_LIBRARY)";
    default:
      return nullptr;
  }
}

// The memory of a caller says how long it is; a fat binary has to be all there.
Error check_length(const std::string& bytes) {
  const auto whole = fatbin::read_ptx(std::as_bytes(std::span(bytes)));
  if (whole) return Error::success;
  explain(whole.error().message);
  return Error::invalid_image;
}

}  // namespace

Links& Links::instance() {
  static auto* links = new Links;
  return *links;
}

Error Link::add(LinkInput type, std::string bytes) {
  if (const char* kind = kind_of(type))
    return not_modeled("cuLinkAddData with " + std::string(kind));
  if (type != LinkInput::ptx && type != LinkInput::fat_binary) return Error::invalid_value;
  if (bytes.empty()) return Error::invalid_value;
  if (!image_.empty()) return not_modeled("cuLinkAddData with a second input");
  if (type == LinkInput::fat_binary) {
    if (const Error error = check_length(bytes); error != Error::success) return error;
  }
  const Error error = check_module(bytes.c_str());
  if (error == Error::success) image_ = std::move(bytes);
  return error;
}

Error Link::add_file(LinkInput type, const char* path) {
  if (any_null(path)) return Error::invalid_value;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error::file_not_found;
  return add(type, std::string{std::istreambuf_iterator<char>(file), {}});
}

Error Link::complete(void*& image, std::size_t& size) {
  if (image_.empty()) {
    explain("cuLinkComplete: nothing was added to link (cuLinkAddData, cuLinkAddFile)");
    return Error::invalid_value;
  }
  image = image_.data();
  size = image_.size() + 1;  // with the zero that ends a text
  return Error::success;
}

}  // namespace tmaemu::runtime
