// The same in CUDA: the calls that make the tensor map, this course's and the driver's, and what a kernel does with it.

import type { Answer } from "./module.ts";
import { chosen, packedStrides, positionBytes, type State } from "./state.ts";

/** The types of C++ that make_tensor_map() takes, by the names of the driver's. */
const CPP_TYPES: Record<string, string> = {
  UINT8: "uint8_t",
  UINT16: "uint16_t",
  UINT32: "uint32_t",
  INT32: "int32_t",
  UINT64: "uint64_t",
  INT64: "int64_t",
  FLOAT16: "__half",
  FLOAT32: "float",
  FLOAT64: "double",
  BFLOAT16: "__nv_bfloat16",
};

/** The call of labs/common/tensor-map.cuh that makes this tensor map; "" where it has no name for the type. */
function courseCallOf(state: State, strides: number[]) {
  const { rank } = state;
  const type = CPP_TYPES[chosen(state, "type").cuda];
  if (!type) return "";
  const list = (values: number[], count: number) => `{${values.slice(0, count).join(", ")}}`;
  const options = (["interleave", "swizzle", "fill"] as const)
    .map((which) => ({ which, choice: chosen(state, which) }))
    .filter(({ choice }) => choice.number !== 0)
    .map(({ which, choice }) => `.${which} = CU_TENSOR_MAP_${PREFIXES[which]}_${choice.cuda}`);
  if (state.step.slice(0, rank).some((step) => step !== 1)) {
    options.push(`.element_strides = ${list(state.step, rank)}`);
  }
  const numbers = [list(state.size, rank), list(strides, rank - 1), list(state.box, rank)].join(", ");
  const last = options.length === 0 ? "" : `,\n    {${options.join(",\n     ")}}`;
  return `const CUtensorMap map = make_tensor_map<${type}, ${rank}>(address, ${numbers}${last});`;
}

/** What the names of a choice's values begin with, after CU_TENSOR_MAP_. */
const PREFIXES = {
  type: "DATA_TYPE",
  interleave: "INTERLEAVE",
  swizzle: "SWIZZLE",
  fill: "FLOAT_OOB_FILL",
};

const IN_KERNEL = "labs/common/tma-interface.cuh";

/** What one thread of a kernel does, by the functions of labs/common/tma-interface.cuh; or why it may not. */
function kernelLinesOf(state: State, answer: Answer) {
  if (answer.verdict === "driver") return ["// no instruction: the driver refuses the tensor map"];
  if (answer.verdict === "engine") return ["// no instruction: the engine refuses this one"];
  const coordinates = state.at.slice(0, state.rank).join(", ");
  const copy = `cp_async_bulk_tensor_${state.rank}d`;
  if (state.op === "store") {
    return [
      `${copy}_shared_to_global(&map, ${coordinates}, tile);`,
      "tma_store_commit_group();",
      "tma_store_wait_until_pending_read<0>();  // then the tile may be overwritten",
    ];
  }
  return [
    `expect_bytes_and_arrive(&bar, ${answer.transferBytes});`,
    `${copy}_global_to_shared(tile, &map, ${coordinates}, &bar);`,
    "wait(&bar, 0);  // all threads that read the tile: the phase of parity 0",
  ];
}

/** The calls that make this tensor map, this course's and the driver's, and those of a kernel that uses it. */
export function codeOf(state: State, elementBytes: number, answer: Answer) {
  const { rank } = state;
  const strides = state.stride ?? packedStrides(state, positionBytes(state, elementBytes));
  const list = (values: number[]) => `{${values.join(", ")}}`;
  const name = (which: keyof typeof PREFIXES) => `CU_TENSOR_MAP_${PREFIXES[which]}_${chosen(state, which).cuda}`;
  const course = courseCallOf(state, strides);
  // An array has at least one element, also where no stride counts.
  const lines = [
    ...(course ? ["// labs/common/tensor-map.cuh", course, "", "// or by the driver's call"] : []),
    "CUtensorMap map;",
    `cuuint64_t size[] = ${list(state.size.slice(0, rank))};  // elements, innermost first`,
    `cuuint64_t stride[] = ${list(strides.slice(0, Math.max(1, rank - 1)))};  // bytes, from dimension 1 on`,
    `cuuint32_t box[] = ${list(state.box.slice(0, rank))};`,
    `cuuint32_t element_stride[] = ${list(state.step.slice(0, rank))};`,
    `cuTensorMapEncodeTiled(&map, ${name("type")}, ${rank}, address, size, stride, box,`,
    `                       element_stride, ${name("interleave")},`,
    `                       ${name("swizzle")}, CU_TENSOR_MAP_L2_PROMOTION_NONE,`,
    `                       ${name("fill")});`,
    "",
    `// in one thread of the kernel: ${IN_KERNEL}`,
    ...kernelLinesOf(state, answer),
  ];
  return lines.join("\n");
}
