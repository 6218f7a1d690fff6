// What the reader has set, and how a link says it: "#lines=64&swizzle=128&stride=1024". What a link leaves out is as in
// DEFAULT.

export interface State {
  lines: number; // rows of A, or columns of B
  major: "k" | "mn"; // what neighbors in shared memory are neighbors along
  swizzle: "none" | "32" | "64" | "128";
  start: number; // bytes, as all below
  leading: number;
  stride: number;
  base: number; // 0 to 7: rows of the swizzle's pattern, no bytes
}

export const DEFAULT: State = { lines: 64, major: "k", swizzle: "128", start: 0, leading: 16, stride: 1024, base: 0 };

/** The numbers of a state: their titles, and the fields' bounds. What a descriptor has no room for is still said. */
export const NUMBERS = {
  lines: { title: "Rows (of A, or columns of B)", min: 8, max: 256, step: 8 },
  start: { title: "Start address", min: 0, max: 0x3fff0, step: 16 },
  leading: { title: "Leading byte offset", min: 0, max: 0x3fff0, step: 16 },
  stride: { title: "Stride byte offset", min: 0, max: 0x3fff0, step: 16 },
  base: { title: "Base offset", min: 0, max: 7, step: 1 },
} as const;
export type NumberName = keyof typeof NUMBERS;
export const NUMBER_NAMES = Object.keys(NUMBERS) as NumberName[];

/** The values that a reader chooses from: what a link calls them, and what the page does. */
export const CHOICES = {
  swizzle: {
    title: "Swizzle",
    values: { none: "none", "32": "32 bytes", "64": "64 bytes", "128": "128 bytes" },
  },
  major: {
    title: "Neighbors in memory",
    values: { k: "along k (K-major)", mn: "along m or n (transposed)" },
  },
} as const;
export type ChoiceName = keyof typeof CHOICES;
export const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** How a descriptor numbers its swizzles, and how wgmma-interface.cuh calls them. */
export const SWIZZLES = {
  none: { number: 0, name: "NO_SWIZZLE" },
  "32": { number: 3, name: "SWIZZLE_32B" },
  "64": { number: 2, name: "SWIZZLE_64B" },
  "128": { number: 1, name: "SWIZZLE_128B" },
} as const;

/** Whether a field may hold this number. */
export function isAllowed(name: NumberName, value: number) {
  const { min, max } = NUMBERS[name];
  return Number.isSafeInteger(value) && value >= min && value <= max && (name !== "lines" || value % 8 === 0);
}

export function toFragment(state: State) {
  const names = Object.keys(DEFAULT) as (keyof State)[];
  return `#${names.filter((name) => state[name] !== DEFAULT[name]).map((name) => `${name}=${state[name]}`).join("&")}`;
}

/** A state from a link. What it cannot read, it takes from DEFAULT. */
export function fromFragment(fragment: string) {
  const read = new URLSearchParams(fragment.replace(/^#/, ""));
  const state = { ...DEFAULT };
  for (const name of NUMBER_NAMES) {
    const text = read.get(name);
    if (text && isAllowed(name, Number(text))) state[name] = Number(text);
  }
  const swizzle = read.get("swizzle");
  if (swizzle && Object.hasOwn(SWIZZLES, swizzle)) state.swizzle = swizzle as State["swizzle"];
  const major = read.get("major");
  if (major && Object.hasOwn(CHOICES.major.values, major)) state.major = major as State["major"];
  return state;
}
