// The emulator's tensor maps, compiled to WebAssembly: a question goes in, an answer comes out. The layout of both is
// that of grader/emulator/browser/tensor_map_module.h. Every rule, every address and every refusal comes from there.

import { exportsOf } from "../common/wasm.ts";

/** The arguments of cuTensorMapEncodeTiled, enumerations by number, and of one operation. */
export interface Question {
  address: bigint;
  size: bigint[];
  stride: bigint[];
  mode: number; // 0: tiled, 1: im2col
  type: number;
  rank: number;
  interleave: number;
  swizzle: number;
  l2Promotion: number;
  fill: number;
  box: number[];
  elementStride: number[];
  lowerCorner?: number[]; // im2col, as are the next three
  upperCorner?: number[];
  channels?: number;
  pixels?: number;
  coordinates: number[];
  direction: number; // 0: a load, 1: a store or reduction
  sharedAddress: number;
}

/** Consecutive bytes of one position of the box. */
export interface Piece {
  globalAddress: bigint;
  sharedOffset: number;
  bytes: number;
  place: number[]; // the tensor's coordinates
  inBounds: boolean; // a load brings it from global memory; a store writes it there
}

export interface Answer {
  verdict: (typeof VERDICTS)[number]; // who refuses, if anybody does
  message: string; // why
  positionBytes: number;
  rowBytes: number;
  rows: number;
  rowPadding: number;
  boxBytes: number;
  transferBytes: number;
  extent: number[];
  fill: Uint8Array;
  pieces: Piece[];
  reads: { wavefronts: number; ideal: number }[]; // by a warp along dimension 0, and along dimension 1
}

/** What the module has for a page; the functions but `element_bytes` give addresses in its memory. */
interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  question: () => number;
  ask: () => number;
  element_bytes: (type: number) => number;
}

const VERDICTS = ["accepted", "driver", "engine"] as const;
const PIECE_BYTES = 40;
const PIECE_PLACE = 16;
const PIECE_IN_BOUNDS = 36;
export const MAX_RANK = 5;
const MAX_PIXEL_RANK = 3;

export class TensorMapModule {
  static async load(wasm: BufferSource) {
    return new TensorMapModule(await exportsOf<Exports>(wasm));
  }

  private readonly exports: Exports;

  constructor(exports: Exports) {
    this.exports = exports;
  }

  /** Bytes of one element; 0 for what is no type. */
  elementBytes(type: number) {
    return this.exports.element_bytes(type);
  }

  ask(question: Question): Answer {
    this.write(question);
    return this.read(this.exports.ask());
  }

  write(question: Question) {
    const view = new DataView(this.exports.memory.buffer);
    let at = this.exports.question();
    const put64 = (value: bigint) => {
      view.setBigUint64(at, BigInt.asUintN(64, value), true);
      at += 8;
    };
    const put32 = (value: number) => {
      view.setInt32(at, value | 0, true);
      at += 4;
    };
    const putList = (values: number[] | undefined, count: number) => {
      for (let i = 0; i < count; ++i) put32(values?.[i] ?? 0);
    };
    put64(question.address);
    for (let i = 0; i < MAX_RANK; ++i) put64(question.size[i] ?? 0n);
    for (let i = 0; i < MAX_RANK - 1; ++i) put64(question.stride[i] ?? 0n);
    for (const value of [question.mode, question.type, question.rank, question.interleave]) put32(value);
    for (const value of [question.swizzle, question.l2Promotion, question.fill]) put32(value);
    putList(question.box, MAX_RANK);
    putList(question.elementStride, MAX_RANK);
    putList(question.lowerCorner, MAX_PIXEL_RANK);
    putList(question.upperCorner, MAX_PIXEL_RANK);
    put32(question.channels ?? 0);
    put32(question.pixels ?? 0);
    putList(question.coordinates, MAX_RANK);
    put32(question.direction);
    put32(question.sharedAddress);
  }

  read(address: number): Answer {
    const buffer = this.exports.memory.buffer;
    const view = new DataView(buffer);
    const word = (index: number) => view.getUint32(address + 4 * index, true);
    const words = (first: number, count: number) => Array.from({ length: count }, (_, i) => word(first + i));
    const [wavefronts0, wavefronts1, ideal0, ideal1] = words(18, 4);
    return {
      verdict: VERDICTS[word(0)],
      message: new TextDecoder().decode(new Uint8Array(buffer, word(1), word(2))),
      positionBytes: word(3),
      rowBytes: word(4),
      rows: word(5),
      rowPadding: word(6),
      boxBytes: word(7),
      transferBytes: word(8),
      extent: words(9, MAX_RANK),
      pieces: Array.from({ length: word(15) }, (_, i) => readPiece(view, word(14) + i * PIECE_BYTES)),
      fill: new Uint8Array(buffer.slice(address + 64, address + 72)),
      reads: [
        { wavefronts: wavefronts0, ideal: ideal0 },
        { wavefronts: wavefronts1, ideal: ideal1 },
      ],
    };
  }
}

function readPiece(view: DataView, at: number): Piece {
  const place = Array.from({ length: MAX_RANK }, (_, i) => view.getInt32(at + PIECE_PLACE + 4 * i, true));
  return {
    globalAddress: view.getBigUint64(at, true),
    sharedOffset: view.getUint32(at + 8, true),
    bytes: view.getUint32(at + 12, true),
    place,
    inBounds: view.getUint32(at + PIECE_IN_BOUNDS, true) !== 0,
  };
}
