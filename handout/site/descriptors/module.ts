// The emulator's matrix descriptors, compiled to WebAssembly: a question goes in, an answer comes out. The layout of both
// is that of grader/emulator/browser/matrix_module.h. Every address comes from there.

import { exportsOf } from "../common/wasm.ts";
import { type State, SWIZZLES } from "./state.ts";

/** The chunks of 16 bytes that a wgmma reads, and what the 64 bits of the descriptor say. */
export interface Answer {
  bits: bigint;
  start: number;
  leading: number;
  stride: number;
  base: number;
  usesLeading: boolean;
  usesStride: boolean;
  wavefronts: number; // for the first 8 rows of 16 bytes
  chunks: Chunk[];
}

/** 16 bytes of shared memory, 8 elements: of one row, or of 8 rows at one k. */
export interface Chunk {
  address: number;
  row: number; // the first
  k: number; // the first
}

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  matrix_question: () => number;
  ask_matrix: () => number;
}

const ELEMENTS_OF_CHUNK = 8;
const ELEMENTS_OF_K = 16; // that an instruction reads

export class MatrixModule {
  static async load(wasm: BufferSource) {
    return new MatrixModule(await exportsOf<Exports>(wasm));
  }

  private readonly exports: Exports;

  constructor(exports: Exports) {
    this.exports = exports;
  }

  ask(state: State): Answer {
    const isTransposed = state.major === "mn";
    const words = [
      state.start,
      state.leading,
      state.stride,
      state.base,
      SWIZZLES[state.swizzle].number,
      state.lines,
      isTransposed ? 1 : 0,
    ];
    new Uint32Array(this.exports.memory.buffer, this.exports.matrix_question(), words.length).set(words);
    return this.read(this.exports.ask_matrix(), isTransposed);
  }

  private read(address: number, isTransposed: boolean): Answer {
    const { buffer } = this.exports.memory;
    const [low, high, start, leading, stride, base, usesLeading, usesStride, wavefronts, units, count] =
      new Uint32Array(buffer, address, 11);
    const addresses = [...new Uint32Array(buffer, units, count)];
    return {
      bits: (BigInt(high) << 32n) | BigInt(low),
      start,
      leading,
      stride,
      base,
      usesLeading: usesLeading !== 0,
      usesStride: usesStride !== 0,
      wavefronts,
      chunks: addresses.map((at, index) => ({ address: at, ...placeOf(index, isTransposed) })),
    };
  }
}

/** Of a chunk, in the order in which the module tells them: its first row and its first k. */
function placeOf(index: number, isTransposed: boolean) {
  const perRow = isTransposed ? ELEMENTS_OF_K : ELEMENTS_OF_K / ELEMENTS_OF_CHUNK;
  const [row, k] = [Math.floor(index / perRow), index % perRow];
  return isTransposed ? { row: row * ELEMENTS_OF_CHUNK, k } : { row, k: k * ELEMENTS_OF_CHUNK };
}
