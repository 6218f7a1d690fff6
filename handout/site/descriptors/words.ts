// What the page says of a descriptor, in words.

import type { Answer, Chunk } from "./module.ts";
import { type State, SWIZZLES } from "./state.ts";

export const LINE_BYTES = 128; // all 32 banks
const CHUNK_BYTES = 16;
const BANK_BYTES = 4;

export function hexadecimal(address: number) {
  return `0x${address.toString(16).padStart(4, "0")}`;
}

/** "row 3, k 8 to 15", or of a transposed matrix "rows 8 to 15, k 3". */
export function chunkInWords(state: State, { row, k }: Chunk) {
  return state.major === "k" ? `row ${row}, k ${k} to ${k + 7}` : `rows ${row} to ${row + 7}, k ${k}`;
}

/** What stands in a cell: "3:8", the row and the first k; of a transposed matrix the first row and the k. */
export function label({ row, k }: Chunk) {
  return `${row}:${k}`;
}

/** What lies in 16 bytes of shared memory. */
export function placeInWords(state: State, address: number, chunks: Chunk[]) {
  const bank = Math.floor(address / BANK_BYTES) % (LINE_BYTES / BANK_BYTES);
  const where = `Bytes ${hexadecimal(address)} to ${hexadecimal(address + CHUNK_BYTES - 1)}, ` +
    `banks ${bank} to ${bank + 3}`;
  if (chunks.length === 0) return `${where}: not read.`;
  return `${where}: ${chunks.map((chunk) => chunkInWords(state, chunk)).join("; ")}.`;
}

/** What one should know of this descriptor before one uses it; "" where there is nothing. */
export function warningOf(state: State, answer: Answer) {
  const lost = (["start", "leading", "stride"] as const).filter((name) => state[name] !== answer[name]);
  const said = lost.map((name) =>
    `${name === "start" ? "The address" : `The ${name} byte offset`} becomes ${
      answer[name]
    }: a descriptor holds multiples of 16.`
  );
  const repeated = answer.chunks.length - new Set(answer.chunks.map(({ address }) => address)).size;
  if (repeated > 0) said.push(`${repeated} of ${answer.chunks.length} chunks are read for another row, too.`);
  return said.join(" ");
}

/** Names and values, as a list of facts has them. */
export function factsOf(state: State, answer: Answer): [string, string][] {
  const addresses = answer.chunks.map(({ address }) => address);
  const [first, last] = [Math.min(...addresses), Math.max(...addresses) + CHUNK_BYTES - 1];
  const counts = (does: boolean) => does ? "counts" : "is ignored here";
  const wavefronts = answer.wavefronts === 1 ? "1: no bank conflict" : `${answer.wavefronts}, and 1 would do`;
  return [
    ["The 64 bits", `0x${answer.bits.toString(16).padStart(16, "0")}`],
    ["Reads", `${answer.chunks.length} chunks of 16 bytes, from ${hexadecimal(first)} to ${hexadecimal(last)}`],
    ["Wavefronts of the first 8 chunks", wavefronts],
    ["The leading byte offset", counts(answer.usesLeading)],
    ["The stride byte offset", counts(answer.usesStride)],
    ["In CUDA", callOf(state)],
  ];
}

/** The call of labs/common/wgmma/descriptor.cuh that makes it. */
function callOf(state: State) {
  const call = `make_smem_desc<${SWIZZLES[state.swizzle].name}>(smem, ${state.leading}, ${state.stride})`;
  return state.base === 0 ? call : `${call} | ${state.base}ull << 49`;
}
