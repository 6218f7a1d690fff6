// What the page says in words: the verdict, the numbers of a tile, one position, and the call in CUDA.

import { bankOf, banksOf, lineOf } from "./banks.js";
import { element } from "./dom.js";
import { chosen, packedStrides, positionBytes } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./tile.js").Tile} Tile */
/** @typedef {import("./module.js").Answer} Answer */
/** @typedef {import("./module.js").Piece} Piece */

const hexadecimal = (/** @type {number} */ value) => `0x${value.toString(16)}`;

/** Who refuses, and why, in the emulator's words. */
export function verdictOf(/** @type {Answer} */ answer) {
  if (answer.verdict === "driver") {
    return { title: "cuTensorMapEncodeTiled refuses this tensor map", reason: answer.message };
  }
  if (answer.verdict === "engine") {
    return {
      title: "The driver accepts the tensor map, but the operation is an illegal instruction",
      reason: answer.message,
    };
  }
  return { title: "The driver accepts this tensor map, and the engine takes the operation", reason: "" };
}

/**
 * Names and values of a tile.
 * @param {State} state
 * @param {Answer} answer
 * @returns {[string, string][]}
 */
export function factsOf(state, answer) {
  const extent = answer.extent.slice(0, state.rank).join(" × ");
  const what = state.interleave === "none" ? "elements" : "slices";
  const outside = answer.pieces.reduce((bytes, piece) => bytes + (piece.inBounds ? 0 : piece.bytes), 0);
  /** @type {[string, string][]} */
  const facts = [["The tile holds", `${extent} ${what} of ${bytesOf(answer.positionBytes)}`]];
  const padding = answer.boxBytes - answer.transferBytes;
  facts.push([
    "In shared memory",
    bytesOf(answer.boxBytes) + (padding > 0 ? `, of which the engine leaves ${padding} alone` : ""),
  ]);
  if (state.op === "load") facts.push(["tx-count to expect", bytesOf(answer.transferBytes)]);
  if (outside > 0) {
    facts.push(["Outside the tensor", `${bytesOf(outside)}: ${state.op === "load" ? fillOf(state, answer) : "not written"}`]);
  }
  answer.reads.forEach(({ wavefronts, ideal }, dimension) => {
    if (ideal === 0 || answer.extent[dimension] < 2) return;
    const way = dimension === 0 ? "A warp reads a row" : "A warp reads a column";
    const conflicts = wavefronts - ideal;
    const cost = conflicts === 0 ? "no bank conflict" : `${conflicts} of them for bank conflicts`;
    facts.push([way, `${wavefronts} ${wavefronts === 1 ? "wavefront" : "wavefronts"}, ${cost}`]);
  });
  return facts;
}

function bytesOf(/** @type {number} */ count) {
  return `${count.toLocaleString("en-US")} bytes`;
}

function fillOf(/** @type {State} */ state, /** @type {Answer} */ answer) {
  if (state.fill === "zero") return "arrives as 0";
  const bytes = [...answer.fill.slice(0, answer.positionBytes)].reverse();
  return `arrives as NaN, 0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The list of facts, as elements. */
export function factElements(/** @type {[string, string][]} */ facts) {
  return facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

/**
 * One position of the tensor, and where it is in shared memory.
 * @param {State} state
 * @param {Tile} tile
 * @param {number[]} place
 */
export function positionInWords(state, tile, place) {
  const shown = place.slice(0, state.rank).join(", ");
  const pieces = tile.at(place).map((index) => tile.answer.pieces[index]);
  if (pieces.length === 0) return `(${shown}) is not in the tile`;
  const shared = pieces.map((piece) => sharedInWords(state, piece)).join("; ");
  if (!pieces[0].inBounds) {
    const fate = state.op === "load" ? fillOf(state, tile.answer) : "is not written";
    return `(${shown}) is outside the tensor: ${fate} · ${shared}`;
  }
  const offset = Number(pieces[0].globalAddress - BigInt(state.address));
  return `(${shown}) · global memory: first element + ${offset} bytes · ${shared}`;
}

function sharedInWords(/** @type {State} */ state, /** @type {Piece} */ piece) {
  const address = state.shared + piece.sharedOffset;
  const line = lineOf(address) - lineOf(state.shared);
  return `shared memory: ${hexadecimal(address)}, line ${line}, ${banksOf(address, piece.bytes)}`;
}

/** A cell of shared memory that holds nothing of the tile. */
export function paddingInWords(/** @type {State} */ state, /** @type {number} */ offset) {
  const address = state.shared + offset;
  return `shared memory: ${hexadecimal(address)}, bank ${bankOf(address)}: the engine leaves it alone`;
}

/** The call that makes this tensor map, and the instruction that uses it. */
export function codeOf(/** @type {State} */ state, /** @type {number} */ elementBytes) {
  const { rank } = state;
  const strides = state.stride ?? packedStrides(state, positionBytes(state, elementBytes));
  const list = (/** @type {number[]} */ values) => `{${values.join(", ")}}`;
  const name = (/** @type {string} */ prefix, /** @type {string} */ which) =>
    `CU_TENSOR_MAP_${prefix}_${chosen(state, which).cuda}`;
  // An array has at least one element, also where no stride counts.
  const lines = [
    `cuuint64_t size[] = ${list(state.size.slice(0, rank))};  // elements, innermost first`,
    `cuuint64_t stride[] = ${list(strides.slice(0, Math.max(1, rank - 1)))};  // bytes, from dimension 1 on`,
    `cuuint32_t box[] = ${list(state.box.slice(0, rank))};`,
    `cuuint32_t element_stride[] = ${list(state.step.slice(0, rank))};`,
    `cuTensorMapEncodeTiled(&map, ${name("DATA_TYPE", "type")}, ${rank}, address, size, stride, box,`,
    `                       element_stride, ${name("INTERLEAVE", "interleave")},`,
    `                       ${name("SWIZZLE", "swizzle")}, CU_TENSOR_MAP_L2_PROMOTION_NONE,`,
    `                       ${name("FLOAT_OOB_FILL", "fill")});`,
  ];
  return lines.join("\n");
}
