// What the reader has set, and how a link says it: "#type=f32&size=16,8&box=8,8&at=4,0&swizzle=32". What a link leaves
// out is as in DEFAULT.

/**
 * @typedef {object} State
 * @property {string} type
 * @property {number} rank
 * @property {number[]} size elements; five entries here and below, of which the first `rank` count
 * @property {number[] | null} stride bytes, of dimension 1 and up; null: no gaps
 * @property {number[]} box
 * @property {number[]} step element strides
 * @property {number[]} at coordinates
 * @property {string} swizzle
 * @property {string} interleave
 * @property {string} fill
 * @property {string} op
 * @property {number} shared address of the tile in shared memory
 * @property {number} address of the tensor
 * @property {string} color
 */

/**
 * A choice: what a link calls it, its number in cuda.h, its name there, and what a reader sees.
 * @typedef {{key: string, number: number, cuda: string, label: string}} Choice
 */

const choice = (/** @type {string} */ key, /** @type {number} */ number, /** @type {string} */ cuda, label = cuda) => ({
  key,
  number,
  cuda,
  label,
});

/** @type {Record<string, Choice[]>} */
export const CHOICES = {
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

/** @type {State} */
export const DEFAULT = {
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

/** @returns {State} */
export function copyOf(/** @type {State} */ state) {
  return structuredClone(state);
}

/** The entry of CHOICES that a state has picked. */
export function chosen(/** @type {State} */ state, /** @type {string} */ name) {
  const key = /** @type {any} */ (state)[name];
  return CHOICES[name].find((entry) => entry.key === key) ?? CHOICES[name][0];
}

/** Whether the tensor has no such position. */
export function isOutside(/** @type {State} */ state, /** @type {number[]} */ place) {
  return place.slice(0, state.rank).some((index, dimension) => index < 0 || index >= state.size[dimension]);
}

const LISTS = { size: 0, stride: 1, box: 0, step: 0, at: 0 }; // and how many entries fewer than dimensions

/** @returns {string} */
export function toFragment(/** @type {State} */ state) {
  /** @type {string[]} */
  const parts = [];
  for (const [name, value] of Object.entries(state)) {
    if (name in LISTS) {
      if (value === null) continue;
      parts.push(`${name}=${value.slice(0, state.rank - LISTS[/** @type {"size"} */ (name)]).join(",")}`);
    } else if (value !== /** @type {any} */ (DEFAULT)[name]) {
      parts.push(`${name}=${value}`);
    }
  }
  return `#${parts.join("&")}`;
}

/** A state from a link. What it cannot read, it takes from DEFAULT. */
export function fromFragment(/** @type {string} */ fragment) {
  const state = copyOf(DEFAULT);
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    if (name in LISTS) {
      readList(state, /** @type {"size"} */ (name), text);
    } else if (name in CHOICES) {
      if (CHOICES[name].some((entry) => entry.key === text)) /** @type {any} */ (state)[name] = text;
    } else if (["rank", "shared", "address"].includes(name) && isNumber(text)) {
      /** @type {any} */ (state)[name] = Number(text);
    }
  }
  return state;
}

function isNumber(/** @type {string} */ text) {
  return text !== "" && Number.isSafeInteger(Number(text));
}

/** The first entries of a list, and where a link has no rank, that too. */
function readList(/** @type {State} */ state, /** @type {"size"} */ name, /** @type {string} */ text) {
  const values = text.split(",").filter(isNumber).map(Number).slice(0, 5);
  const list = state[name] ?? [0, 0, 0, 0];
  state[name] = Object.assign(list.slice(), values);
}

/** Strides without gaps: each dimension follows the one before. */
export function packedStrides(/** @type {State} */ state, /** @type {number} */ positionBytes) {
  let bytes = positionBytes;
  return state.size.slice(0, 4).map((size) => (bytes *= size));
}

/** Bytes from one index of dimension 0 to the next. */
export function positionBytes(/** @type {State} */ state, /** @type {number} */ elementBytes) {
  return state.interleave === "none" ? elementBytes : Number(state.interleave);
}

/**
 * The question that a state asks of the module.
 * @param {State} state
 * @param {number} elementBytes
 * @returns {import("./module.js").Question}
 */
export function questionOf(state, elementBytes) {
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
