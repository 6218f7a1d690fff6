// User objects are destroyed when neither the program nor a graph needs them, and graphs are drawn.
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "runtime_test.h"

__global__ void named_kernel() {}

// What a destructor of CUDA's own thread may do a moment later.
static bool comes_true(const std::atomic<bool>& flag) {
  for (int tries = 0; tries < 1000 && !flag; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return flag;
}

static cudaUserObject_t new_object(std::atomic<bool>& destroyed, unsigned references) {
  cudaUserObject_t object = nullptr;
  destroyed = false;
  CHECK_OK(cudaUserObjectCreate(
      &object, &destroyed, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; },
      references, cudaUserObjectNoDestructorSync));
  return object;
}

static void the_last_reference_takes_the_object_with_it() {
  static std::atomic<bool> destroyed;
  const cudaUserObject_t object = new_object(destroyed, 1);
  CHECK_OK(cudaUserObjectRetain(object, 2));
  CHECK_OK(cudaUserObjectRelease(object, 2));
  CHECK(!destroyed);
  CHECK_OK(cudaUserObjectRelease(object, 1));
  CHECK(comes_true(destroyed));
}

static void a_graph_and_what_is_made_of_it_keep_an_object() {
  static std::atomic<bool> destroyed;
  const cudaUserObject_t object = new_object(destroyed, 1);
  cudaGraph_t graph = nullptr, copy = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphClone(&copy, graph));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK(!destroyed);
  CHECK_OK(cudaGraphDestroy(copy));
  CHECK(comes_true(destroyed));
}

static void a_graph_gives_references_back() {
  static std::atomic<bool> destroyed;
  const cudaUserObject_t object = new_object(destroyed, 1);
  cudaGraph_t graph = nullptr;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphRetainUserObject(graph, object, 3, 0));
  CHECK_OK(cudaUserObjectRelease(object, 1));
  CHECK(!destroyed);
  CHECK_OK(cudaGraphReleaseUserObject(graph, object, 3));
  CHECK(comes_true(destroyed));
  CHECK_OK(cudaGraphDestroy(graph));
}

static void an_object_is_created_with_references() {
  cudaUserObject_t object = nullptr;
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaUserObjectCreate(
                  &object, nullptr, [](void*) {}, 0, cudaUserObjectNoDestructorSync));
  cudaGetLastError();
}

static void a_graph_is_drawn_with_its_kernels_names() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t first = nullptr, second = nullptr;
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(&named_kernel);
  parameters.gridDim = parameters.blockDim = dim3(1);
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  CHECK_OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &parameters));
  char path[] = "/tmp/runtime_graph_objects_XXXXXX";
  close(mkstemp(path));
  CHECK_OK(cudaGraphDebugDotPrint(graph, path, 0));
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text.starts_with("digraph"));
  CHECK(text.find("named_kernel") != text.npos);
  CHECK(text.find("->") != text.npos);
  unlink(path);
  CHECK_OK(cudaGraphDestroy(graph));
}

int main() {
  the_last_reference_takes_the_object_with_it();
  a_graph_and_what_is_made_of_it_keep_an_object();
  a_graph_gives_references_back();
  an_object_is_created_with_references();
  a_graph_is_drawn_with_its_kernels_names();
  return runtime_test::result();
}
