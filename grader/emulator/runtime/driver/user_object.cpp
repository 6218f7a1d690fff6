// CUDA Driver API, "Graph Management": user objects.
#include "emulator/runtime/state/user_object.h"

#include <cuda.h>

#include "emulator/runtime/driver/call.h"
#include "emulator/runtime/state/graph.h"

using namespace tmaemu::runtime;

extern "C" {

CUresult cuUserObjectCreate(CUuserObject* handle, void* data, CUhostFn destroy, unsigned references,
                            unsigned flags) {
  return call([&] {
    if (any_null(handle)) return Error::invalid_value;
    UserObject* object = nullptr;
    const Error error = create_user_object(data, destroy, references, flags, object);
    if (error == Error::success) *handle = reinterpret_cast<CUuserObject>(object);
    return error;
  });
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return call([&] { return retain_user_object(object, count); });
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return call([&] { return release_user_object(object, count); });
}

CUresult cuGraphRetainUserObject(CUgraph handle, CUuserObject object, unsigned count,
                                 unsigned flags) {
  return call([&] {
    Graph* graph = Graphs::instance().find(handle);
    return graph == nullptr ? Error::invalid_value
                            : graph->user_objects.retain(object, count, flags);
  });
}

CUresult cuGraphReleaseUserObject(CUgraph handle, CUuserObject object, unsigned count) {
  return call([&] {
    Graph* graph = Graphs::instance().find(handle);
    return graph == nullptr ? Error::invalid_value : graph->user_objects.release(object, count);
  });
}

}  // extern "C"
