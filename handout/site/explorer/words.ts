// What the page says in words: the verdict, the numbers of a tile, and one position.

import { element } from "../common/dom.ts";
import { bankOf, banksOf, lineOf } from "./banks.ts";
import type { Answer, Piece } from "./module.ts";
import { isOutside, type State } from "./state.ts";
import type { Tile } from "./tile.ts";

// The guide on tensor maps, "Coordinates": measured on an H200, the manuals are silent.
const WHY_WRITTEN = "since a store is cut off in units of 16 bytes";

const hexadecimal = (value: number) => `0x${value.toString(16)}`;

/** Who refuses, and why, in the emulator's words. */
export function verdictOf(answer: Answer) {
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

/** Names and values of a tile. */
export function factsOf(state: State, answer: Answer): [string, string][] {
  const extent = answer.extent.slice(0, state.rank).join(" × ");
  const what = state.interleave === "none" ? "elements" : "slices";
  const bytesWhere = (holds: (piece: Piece) => boolean) =>
    answer.pieces.reduce((bytes, piece) => bytes + (holds(piece) ? piece.bytes : 0), 0);
  const outside = bytesWhere((piece) => !piece.inBounds);
  const beyond = bytesWhere((piece) => piece.inBounds && isOutside(state, piece.place));
  const facts: [string, string][] = [["The tile holds", `${extent} ${what} of ${bytesOf(answer.positionBytes)}`]];
  const padding = answer.boxBytes - answer.transferBytes;
  facts.push([
    "In shared memory",
    bytesOf(answer.boxBytes) + (padding > 0 ? `, of which the engine leaves ${padding} alone` : ""),
  ]);
  if (state.op === "load") facts.push(["tx-count to expect", bytesOf(answer.transferBytes)]);
  if (outside > 0) {
    facts.push([
      "Outside the tensor",
      `${bytesOf(outside)}: ${state.op === "load" ? fillOf(state, answer) : "not written"}`,
    ]);
  }
  if (beyond > 0) facts.push(["Behind the end of rows", `${bytesOf(beyond)}: written all the same, ${WHY_WRITTEN}`]);
  answer.reads.forEach(({ wavefronts, ideal }, dimension) => {
    if (ideal === 0 || answer.extent[dimension] < 2) return;
    const way = dimension === 0 ? "A warp reads a row" : "A warp reads a column";
    const conflicts = wavefronts - ideal;
    const cost = conflicts === 0 ? "no bank conflict" : `${conflicts} of them for bank conflicts`;
    facts.push([way, `${wavefronts} ${wavefronts === 1 ? "wavefront" : "wavefronts"}, ${cost}`]);
  });
  return facts;
}

function bytesOf(count: number) {
  return `${count.toLocaleString("en-US")} bytes`;
}

function fillOf(state: State, answer: Answer) {
  if (state.fill === "zero") return "arrives as 0";
  const bytes = [...answer.fill.slice(0, answer.positionBytes)].reverse();
  return `arrives as NaN, 0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** The list of facts, as elements. */
export function factElements(facts: [string, string][]) {
  return facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

/** One position of the tensor, and where it is in shared memory. */
export function positionInWords(state: State, tile: Tile, place: number[]) {
  const shown = place.slice(0, state.rank).join(", ");
  const pieces = tile.at(place).map((index) => tile.answer.pieces[index]);
  if (pieces.length === 0) return `(${shown}) is not in the tile`;
  const shared = pieces.map((piece) => sharedInWords(state, piece)).join("; ");
  if (!pieces[0].inBounds) {
    const fate = state.op === "load" ? fillOf(state, tile.answer) : "is not written";
    return `(${shown}) is outside the tensor: ${fate} · ${shared}`;
  }
  const offset = Number(pieces[0].globalAddress - BigInt(state.address));
  if (isOutside(state, place)) {
    return `(${shown}) is behind the end of its row, and written, ${WHY_WRITTEN}: first element + ${offset} bytes · ${shared}`;
  }
  return `(${shown}) · global memory: first element + ${offset} bytes · ${shared}`;
}

function sharedInWords(state: State, piece: Piece) {
  const address = state.shared + piece.sharedOffset;
  const line = lineOf(address) - lineOf(state.shared);
  return `shared memory: ${hexadecimal(address)}, line ${line}, ${banksOf(address, piece.bytes)}`;
}

/** A cell of shared memory that holds nothing of the tile. */
export function paddingInWords(state: State, offset: number) {
  const address = state.shared + offset;
  return `shared memory: ${hexadecimal(address)}, bank ${bankOf(address)}: the engine leaves it alone`;
}
