// cuTensorMapEncodeTiled and cuTensorMapReplaceAddress: what they accept, and what they refuse.
#include <cuda.h>

#include "runtime_test.h"

struct Request {
  cuuint32_t rank = 2;
  cuuint64_t sizes[5] = {256, 128, 1, 1, 1};
  cuuint64_t strides[4] = {512, 1, 1, 1};
  cuuint32_t box[5] = {64, 64, 1, 1, 1};
  cuuint32_t steps[5] = {1, 1, 1, 1, 1};
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
};

static void* memory = nullptr;

static CUresult encode(const Request& request, CUtensorMap* map) {
  return cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, request.rank, memory,
                                request.sizes, request.strides, request.box, request.steps,
                                CU_TENSOR_MAP_INTERLEAVE_NONE, request.swizzle,
                                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

int main() {
  CUtensorMap map{};
  CHECK_OK(cudaMalloc(&memory, 256 * 128 * 2));
  CHECK(encode({}, &map) == CUDA_SUCCESS);
  CHECK(cuTensorMapReplaceAddress(&map, static_cast<char*>(memory) + 1024) == CUDA_SUCCESS);
  CHECK(cuTensorMapReplaceAddress(&map, static_cast<char*>(memory) + 8) ==
        CUDA_ERROR_INVALID_VALUE);
  Request wrong;
  wrong.strides[0] = 510;  // no multiple of 16 bytes
  CHECK(encode(wrong, &map) == CUDA_ERROR_INVALID_VALUE);
  wrong = {};
  wrong.box[1] = 257;
  CHECK(encode(wrong, &map) == CUDA_ERROR_INVALID_VALUE);
  wrong = {};
  wrong.rank = 6;
  CHECK(encode(wrong, &map) == CUDA_ERROR_INVALID_VALUE);
  wrong = {};
  wrong.swizzle = CU_TENSOR_MAP_SWIZZLE_64B;  // the inner box is 128 bytes
  CHECK(encode(wrong, &map) == CUDA_ERROR_INVALID_VALUE);
  return runtime_test::result();
}
