// Shared memory is 32 banks wide: a word of 4 bytes each, 128 bytes to a line.

export const BANKS = 32;
export const LINE_BYTES = 128;
const BANK_BYTES = 4;

/** The bank of the byte at a shared-memory address. */
export function bankOf(address: number) {
  return Math.floor(address / BANK_BYTES) % BANKS;
}

/** The line of all banks that the byte at a shared-memory address lies in. */
export function lineOf(address: number) {
  return Math.floor(address / LINE_BYTES);
}

/** "bank 3" or "banks 4 to 7". */
export function banksOf(address: number, bytes: number) {
  const [first, last] = [bankOf(address), bankOf(address + bytes - 1)];
  return first === last ? `bank ${first}` : `banks ${first} to ${last}`;
}
