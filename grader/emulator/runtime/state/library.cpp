#include "emulator/runtime/state/library.h"

#include <fstream>
#include <iterator>
#include <string>

namespace tmaemu::runtime {

Error load_module(const void* image, Module*& module) {
  if (image == nullptr) return Error::invalid_value;
  auto loaded = module_from_image(image, /*copy=*/true);
  if (const Error error = loaded->load(); error != Error::success) return error;
  module = Registry::instance().add(std::move(loaded));
  return Error::success;
}

Error load_module_file(const char* path, Module*& module) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error::file_not_found;
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return bytes.size() < sizeof(std::uint32_t) ? Error::invalid_image
                                              : load_module(bytes.c_str(), module);
}

Error find_kernel(Module& module, const char* name, Function*& function) {
  function = module.find_function(name);
  return function == nullptr ? Error::symbol_not_found : Error::success;
}

}  // namespace tmaemu::runtime
