// The picture at the right: the tile in shared memory, a line of 128 bytes, all 32 banks, to a row.

import { BANKS, LINE_BYTES } from "./banks.js";
import { hatch, palette } from "./colors.js";
import { colorOf, prepare } from "./global_picture.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./tile.js").Tile} Tile */

const MOST_LINES = 256;
const LEFT = 46; // for the addresses
const TOP = 20; // for the banks

export class SharedPicture {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.cellWidth = 10;
    this.cellHeight = 18;
    this.lines = 0;
  }

  /**
   * @param {State} state
   * @param {Tile} tile
   * @param {number} width
   */
  draw(state, tile, width) {
    this.state = state;
    this.tile = tile;
    const perLine = LINE_BYTES / tile.cellBytes;
    this.lines = Math.ceil(tile.answer.boxBytes / LINE_BYTES);
    this.drawn = Math.min(this.lines, MOST_LINES);
    this.cellWidth = Math.max(perLine > 64 ? 4 : 7, Math.floor((width - LEFT - 2) / perLine));
    this.cellHeight = this.drawn <= 16 ? 24 : 18;
    const context = prepare(this.canvas, LEFT + perLine * this.cellWidth + 2, TOP + this.drawn * this.cellHeight + 2);
    const colors = palette();
    this.drawRulers(context, colors, perLine);
    for (let cell = 0; cell < this.drawn * perLine; ++cell) this.drawCell(context, colors, cell, perLine);
  }

  drawRulers(
    /** @type {CanvasRenderingContext2D} */ context,
    /** @type {import("./colors.js").Palette} */ colors,
    /** @type {number} */ perLine,
  ) {
    context.font = "11px ui-monospace, monospace";
    context.fillStyle = colors.ink;
    context.textBaseline = "middle";
    context.textAlign = "left";
    const bankWidth = (perLine * this.cellWidth) / BANKS;
    for (let bank = 0; bank < BANKS; bank += 4) context.fillText(String(bank), LEFT + bank * bankWidth, TOP / 2);
    context.textAlign = "right";
    for (let line = 0; line < this.drawn; ++line) {
      const address = this.state.shared + line * LINE_BYTES;
      context.fillText(`0x${address.toString(16).padStart(3, "0")}`, LEFT - 6, TOP + (line + 0.5) * this.cellHeight);
    }
  }

  drawCell(
    /** @type {CanvasRenderingContext2D} */ context,
    /** @type {import("./colors.js").Palette} */ colors,
    /** @type {number} */ cell,
    /** @type {number} */ perLine,
  ) {
    const { tile, state, cellWidth, cellHeight } = this;
    const index = tile.byCell.get(cell);
    const x = LEFT + (cell % perLine) * cellWidth;
    const y = TOP + Math.floor(cell / perLine) * cellHeight;
    const width = cellWidth - (cellWidth > 6 ? 1 : 0.5);
    const height = cellHeight - 1;
    const piece = index === undefined ? undefined : tile.answer.pieces[index];
    context.fillStyle = !piece ? colors.paper : piece.inBounds ? colorOf(tile, index, state, colors) : colors.outside;
    context.fillRect(x, y, width, height);
    if (!piece) return;
    if (!piece.inBounds) hatch(context, x, y, width, height, colors.hatch);
    const label = piece.inBounds ? piece.place.slice(0, Math.min(state.rank, 2)).reverse().join(",") : "";
    if (label === "" || cellWidth < 5.5 * label.length + 2) return;
    context.fillStyle = colors.label;
    context.font = "10px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(label, x + width / 2, y + height / 2 + 0.5);
  }

  /** The cell drawn at a point of the canvas. */
  cellAt(/** @type {number} */ x, /** @type {number} */ y) {
    const perLine = LINE_BYTES / this.tile.cellBytes;
    const column = Math.floor((x - LEFT) / this.cellWidth);
    const line = Math.floor((y - TOP) / this.cellHeight);
    if (column < 0 || column >= perLine || line < 0 || line >= this.drawn) return null;
    return line * perLine + column;
  }

  /** Where a piece is drawn. */
  frameOf(/** @type {import("./module.js").Piece} */ piece) {
    const { cellBytes } = this.tile;
    const line = Math.floor(piece.sharedOffset / LINE_BYTES);
    if (line >= this.drawn) return null;
    return {
      x: LEFT + ((piece.sharedOffset % LINE_BYTES) / cellBytes) * this.cellWidth,
      y: TOP + line * this.cellHeight,
      width: (piece.bytes / cellBytes) * this.cellWidth,
      height: this.cellHeight,
    };
  }

  isCut() {
    return this.drawn < this.lines;
  }
}
