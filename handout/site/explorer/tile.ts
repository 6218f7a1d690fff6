// The pieces of a tile, found by where they lie: what hovering asks.

/** @typedef {import("./module.js").Piece} Piece */
/** @typedef {import("./module.js").Answer} Answer */

export class Tile {
  /**
   * @param {Answer} answer
   * @param {number} rank
   */
  constructor(answer, rank) {
    this.answer = answer;
    this.rank = rank;
    /** @type {Map<string, number[]>} by place: the pieces there */
    this.byPlace = new Map();
    /** Cells of shared memory: as large as the smallest piece, so that each piece is whole cells. */
    this.cellBytes = answer.pieces.reduce((least, piece) => Math.min(least, piece.bytes), 16);
    /** @type {Map<number, number>} by the cell in shared memory: the piece there */
    this.byCell = new Map();
    answer.pieces.forEach((piece, index) => this.add(piece, index));
  }

  add(/** @type {Piece} */ piece, /** @type {number} */ index) {
    const key = this.keyOf(piece.place);
    const there = this.byPlace.get(key);
    if (there) there.push(index);
    else this.byPlace.set(key, [index]);
    for (let byte = 0; byte < piece.bytes; byte += this.cellBytes) {
      this.byCell.set((piece.sharedOffset + byte) / this.cellBytes, index);
    }
  }

  keyOf(/** @type {number[]} */ place) {
    return place.slice(0, this.rank).join();
  }

  /** The pieces of one position of the tensor: one, or two where a swizzle takes it apart; none outside the box. */
  at(/** @type {number[]} */ place) {
    return this.byPlace.get(this.keyOf(place)) ?? [];
  }

  /** The row of the tile that a position is in: its index in all dimensions but the innermost. */
  rowOf(/** @type {number} */ index) {
    const { pieces, rows } = this.answer;
    return Math.floor((index * rows) / pieces.length);
  }
}
