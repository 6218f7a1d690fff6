// CUDA Driver API, "Module Management": the linker of device code.
#include "emulator/runtime/state/link.h"

#include <cuda.h>

#include <string>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/library.h"

using namespace tmaemu::runtime;

namespace {

template <class Action>
CUresult call_with_link(CUlinkState handle, Action&& action) {
  return call([&] {
    Link* link = Links::instance().links.find(handle);
    return link == nullptr ? Error::invalid_handle : action(*link);
  });
}

Error apply(const CUjit_option* options, void** values, unsigned count) {
  return apply_jit_options({reinterpret_cast<const int*>(options), count}, values);
}

}  // namespace

extern "C" {

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return call([&] {
    if (any_null(state)) return Error::invalid_value;
    const Error error = apply(options, values, count);
    if (error != Error::success) return error;
    *state = reinterpret_cast<CUlinkState>(Links::instance().links.add(std::make_unique<Link>()));
    return Error::success;
  });
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char*,
                       unsigned count, CUjit_option* options, void** values) {
  return call_with_link(state, [&](Link& link) {
    if (any_null(data)) return Error::invalid_value;
    const Error error = apply(options, values, count);
    if (error != Error::success) return error;
    return link.add(static_cast<LinkInput>(type), std::string(static_cast<char*>(data), size));
  });
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned count,
                       CUjit_option* options, void** values) {
  return call_with_link(state, [&](Link& link) {
    const Error error = apply(options, values, count);
    if (error != Error::success) return error;
    return link.add_file(static_cast<LinkInput>(type), path);
  });
}

CUresult cuLinkComplete(CUlinkState state, void** image, size_t* size) {
  return call_with_link(state, [&](Link& link) {
    if (any_null(image)) return Error::invalid_value;
    size_t length = 0;
    const Error error = link.complete(*image, length);
    if (size != nullptr) *size = length;
    return error;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return call([&] {
    return Links::instance().links.remove(state) ? Error::success : Error::invalid_handle;
  });
}

}  // extern "C"
