// What the reader has set, and how a link says it: "#type=f32&size=16,8&box=8,8&at=4,0&swizzle=32". What a link leaves
// out is as in DEFAULT.

import type { Question } from "./module.ts";

export interface State {
  type: string;
  rank: number;
  size: number[]; // elements; five entries here and below, of which the first `rank` count
  stride: number[] | null; // bytes, of dimension 1 and up; null: no gaps
  box: number[];
  step: number[]; // element strides
  at: number[]; // coordinates
  swizzle: string;
  interleave: string;
  fill: string;
  op: string;
  shared: number; // address of the tile in shared memory
  address: number; // of the tensor
  color: string;
}

/** The parts of a state that are chosen from a list. */
export type ChoiceName = "type" | "swizzle" | "interleave" | "fill" | "op" | "color";

/** What a link calls it, its number in cuda.h, its name there, and what a reader sees. */
interface Choice {
  key: string;
  number: number;
  cuda: string;
  label: string;
}

const choice = (key: string, number: number, cuda: string, label = cuda): Choice => ({ key, number, cuda, label });

export const CHOICES: Record<ChoiceName, Choice[]> = {
  type: [
    choice("u8", 0, "UINT8"),
    choice("u16", 1, "UINT16"),
    choice("u32", 2, "UINT32"),
    choice("s32", 3, "INT32"),
    choice("u64", 4, "UINT64"),
    choice("s64", 5, "INT64"),
    choice("f16", 6, "FLOAT16"),
    choice("f32", 7, "FLOAT32"),
    choice("f64", 8, "FLOAT64"),
    choice("bf16", 9, "BFLOAT16"),
    choice("f32ftz", 10, "FLOAT32_FTZ"),
    choice("tf32", 11, "TFLOAT32"),
    choice("tf32ftz", 12, "TFLOAT32_FTZ"),
  ],
  swizzle: [
    choice("none", 0, "NONE", "none"),
    choice("32", 1, "32B", "32 bytes"),
    choice("64", 2, "64B", "64 bytes"),
    choice("128", 3, "128B", "128 bytes"),
  ],
  interleave: [
    choice("none", 0, "NONE", "none"),
    choice("16", 1, "16B", "16 bytes"),
    choice("32", 2, "32B", "32 bytes"),
  ],
  fill: [choice("zero", 0, "NONE", "zero"), choice("nan", 1, "NAN_REQUEST_ZERO_FMA", "NaN")],
  op: [choice("load", 0, "", "load"), choice("store", 1, "", "store")],
  color: [choice("banks", 0, "", "banks"), choice("rows", 1, "", "rows of the tile")],
};

export const DEFAULT: State = {
  type: "f32",
  rank: 2,
  size: [32, 16, 4, 2, 2],
  stride: null,
  box: [16, 8, 1, 1, 1],
  step: [1, 1, 1, 1, 1],
  at: [8, 4, 0, 0, 0],
  swizzle: "none",
  interleave: "none",
  fill: "zero",
  op: "load",
  shared: 0,
  address: 0x10000,
  color: "banks",
};

export function copyOf(state: State): State {
  return structuredClone(state);
}

/** The entry of CHOICES that a state has picked. */
export function chosen(state: State, name: ChoiceName) {
  return CHOICES[name].find((entry) => entry.key === state[name]) ?? CHOICES[name][0];
}

/** Whether the tensor has no such position. */
export function isOutside(state: State, place: number[]) {
  return place.slice(0, state.rank).some((index, dimension) => index < 0 || index >= state.size[dimension]);
}

// The lists of a state, and how many entries fewer than dimensions they have; and its numbers.
const LISTS = { size: 0, stride: 1, box: 0, step: 0, at: 0 };
const NUMBERS = { rank: 0, shared: 0, address: 0 };

function isIn<Name extends string>(names: Record<Name, unknown>, name: string): name is Name {
  return Object.hasOwn(names, name);
}

export function toFragment(state: State): string {
  const parts: string[] = [];
  for (const name of Object.keys(state) as (keyof State)[]) {
    if (isIn(LISTS, name)) {
      const list = state[name];
      if (list) parts.push(`${name}=${list.slice(0, state.rank - LISTS[name]).join(",")}`);
    } else if (state[name] !== DEFAULT[name]) {
      parts.push(`${name}=${state[name]}`);
    }
  }
  return `#${parts.join("&")}`;
}

/** A state from a link. What it cannot read, it takes from DEFAULT. */
export function fromFragment(fragment: string) {
  const state = copyOf(DEFAULT);
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    if (isIn(LISTS, name)) {
      readList(state, name, text);
    } else if (isIn(CHOICES, name)) {
      if (CHOICES[name].some((entry) => entry.key === text)) state[name] = text;
    } else if (isIn(NUMBERS, name) && isNumber(text)) {
      state[name] = Number(text);
    }
  }
  return state;
}

function isNumber(text: string) {
  return text !== "" && Number.isSafeInteger(Number(text));
}

/** The first entries of a list, and where a link has no rank, that too. */
function readList(state: State, name: keyof typeof LISTS, text: string) {
  const values = text.split(",").filter(isNumber).map(Number).slice(0, 5);
  const list = state[name] ?? [0, 0, 0, 0];
  state[name] = Object.assign(list.slice(), values);
}

/** Strides without gaps: each dimension follows the one before. */
export function packedStrides(state: State, positionBytes: number) {
  let bytes = positionBytes;
  return state.size.slice(0, 4).map((size) => (bytes *= size));
}

/** Bytes from one index of dimension 0 to the next. */
export function positionBytes(state: State, elementBytes: number) {
  return state.interleave === "none" ? elementBytes : Number(state.interleave);
}

/** The question that a state asks of the module. */
export function questionOf(state: State, elementBytes: number): Question {
  const strides = state.stride ?? packedStrides(state, positionBytes(state, elementBytes));
  return {
    address: BigInt(state.address),
    size: state.size.map(BigInt),
    stride: strides.map(BigInt),
    mode: 0,
    type: chosen(state, "type").number,
    rank: state.rank,
    interleave: chosen(state, "interleave").number,
    swizzle: chosen(state, "swizzle").number,
    l2Promotion: 0,
    fill: chosen(state, "fill").number,
    box: state.box,
    elementStride: state.step,
    coordinates: state.at,
    direction: chosen(state, "op").number,
    sharedAddress: state.shared,
  };
}
