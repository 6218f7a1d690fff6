// The pieces of a tile, found by where they lie: what hovering asks.

import type { Answer, Piece } from "./module.ts";

export class Tile {
  readonly answer: Answer;
  /** Of a cell of shared memory, which is as large as the smallest piece: so each piece is whole cells. */
  readonly cellBytes: number;
  /** By the cell in shared memory: the piece there. */
  readonly byCell = new Map<number, number>();
  private readonly rank: number;
  /** By place: the pieces there. */
  private readonly byPlace = new Map<string, number[]>();

  constructor(answer: Answer, rank: number) {
    this.answer = answer;
    this.rank = rank;
    this.cellBytes = answer.pieces.reduce((least, piece) => Math.min(least, piece.bytes), 16);
    answer.pieces.forEach((piece, index) => this.add(piece, index));
  }

  add(piece: Piece, index: number) {
    const key = this.keyOf(piece.place);
    const there = this.byPlace.get(key);
    if (there) there.push(index);
    else this.byPlace.set(key, [index]);
    for (let byte = 0; byte < piece.bytes; byte += this.cellBytes) {
      this.byCell.set((piece.sharedOffset + byte) / this.cellBytes, index);
    }
  }

  keyOf(place: number[]) {
    return place.slice(0, this.rank).join();
  }

  /** The pieces of one position of the tensor: one, or two where a swizzle takes it apart; none outside the box. */
  at(place: number[]) {
    return this.byPlace.get(this.keyOf(place)) ?? [];
  }

  /** The row of the tile that a position is in: its index in all dimensions but the innermost. */
  rowOf(index: number) {
    const { pieces, rows } = this.answer;
    return Math.floor((index * rows) / pieces.length);
  }
}
