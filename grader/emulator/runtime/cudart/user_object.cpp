// CUDA Runtime API, "Graph Management": user objects.
#include "emulator/runtime/state/user_object.h"

#include <cuda_runtime_api.h>

#include "emulator/runtime/cudart/call.h"
#include "emulator/runtime/state/graph.h"

using namespace tmaemu::runtime;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* handle, void* data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    UserObject* object = nullptr;
    const Error error = create_user_object(data, destroy, references, flags, object);
    if (error == Error::success) *handle = reinterpret_cast<cudaUserObject_t>(object);
    return error;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return call([&] { return retain_user_object(object, count); });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return call([&] { return release_user_object(object, count); });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return call([&] {
    Graph* graph = Graphs::instance().find(handle);
    return graph == nullptr ? Error::invalid_value
                            : graph->user_objects.retain(object, count, flags);
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                       unsigned count) {
  return call([&] {
    Graph* graph = Graphs::instance().find(handle);
    return graph == nullptr ? Error::invalid_value : graph->user_objects.release(object, count);
  });
}

}  // extern "C"
