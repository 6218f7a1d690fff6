// The picture at the right: the tile in shared memory, a line of 128 bytes, all 32 banks, to a row.

import { BANKS, LINE_BYTES } from "./banks.ts";
import { prepare } from "./canvas.ts";
import { type Palette, palette } from "./colors.ts";
import { colorOf } from "./global_picture.ts";
import type { Piece } from "./module.ts";
import { fillCell, type Kind, kindOf } from "./patterns.ts";
import { DEFAULT, type State } from "./state.ts";
import type { Tile } from "./tile.ts";

/** How the first coordinates stand in the cells. */
type Numbers = "" | "beside" | "above";

const MOST_LINES = 256;
const FONT_BESIDE = "10px ui-sans-serif, system-ui, sans-serif";
const FONT_ABOVE = "9px ui-sans-serif, system-ui, sans-serif";
const TWO_LINES = 24; // the height of a cell with two numbers
const LEFT = 46; // for the addresses
const TOP = 20; // for the banks

export class SharedPicture {
  /** What is drawn. */
  readonly kinds = new Set<Kind>();
  /** How many lines are drawn. */
  drawn = 0;
  private readonly canvas: HTMLCanvasElement;
  private state: State = DEFAULT;
  private cellBytes = 16;
  private cellWidth = 10;
  private cellHeight = 18;
  private lines = 0;
  private numbers: Numbers = "";

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  draw(state: State, tile: Tile, width: number) {
    this.state = state;
    this.cellBytes = tile.cellBytes;
    const perLine = LINE_BYTES / tile.cellBytes;
    this.lines = Math.ceil(tile.answer.boxBytes / LINE_BYTES);
    this.drawn = Math.min(this.lines, MOST_LINES);
    this.cellWidth = Math.max(perLine > 64 ? 4 : 7, Math.floor((width - LEFT - 2) / perLine));
    this.cellHeight = this.drawn <= 32 ? TWO_LINES : 18;
    const context = prepare(this.canvas, LEFT + perLine * this.cellWidth + 2, TOP + this.drawn * this.cellHeight + 2);
    const colors = palette();
    this.kinds.clear();
    this.numbers = this.numbersThatFit(context);
    this.drawRulers(context, colors, perLine);
    for (let cell = 0; cell < this.drawn * perLine; ++cell) this.drawCell(context, colors, tile, cell);
  }

  drawRulers(
    context: CanvasRenderingContext2D,
    colors: Palette,
    perLine: number,
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
    context: CanvasRenderingContext2D,
    colors: Palette,
    tile: Tile,
    cell: number,
  ) {
    const { state, cellWidth, cellHeight } = this;
    const perLine = LINE_BYTES / tile.cellBytes;
    const index = tile.byCell.get(cell);
    const x = LEFT + (cell % perLine) * cellWidth;
    const y = TOP + Math.floor(cell / perLine) * cellHeight;
    const width = cellWidth - (cellWidth > 6 ? 1 : 0.5);
    const height = cellHeight - 1;
    const isInTile = index !== undefined;
    const kind = isInTile ? kindOf(state, tile, index) : "gap";
    this.kinds.add(kind);
    fillCell(context, { x, y, width, height }, kind, colors, isInTile ? colorOf(tile, index, state, colors) : "");
    if (kind !== "moved" || !isInTile || this.numbers === "") return;
    context.fillStyle = colors.label;
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.drawCoordinates(context, tile.answer.pieces[index].place.slice(0, Math.min(state.rank, 2)), {
      x: x + width / 2,
      y: y + height / 2 + 0.5,
    });
  }

  /** How the first coordinates of all cells stand in them: beside one another, else one above the other, else not at all. */
  numbersThatFit(context: CanvasRenderingContext2D): Numbers {
    const { state } = this;
    const widest = state.at.slice(0, Math.min(state.rank, 2)).map((at, i) => {
      const ends = [at, at + state.box[i] - 1].map(String);
      return ends[0].length > ends[1].length ? ends[0] : ends[1];
    });
    const room = this.cellWidth - 2;
    context.font = FONT_BESIDE;
    if (context.measureText(widest.join(",")).width <= room) return "beside";
    context.font = FONT_ABOVE;
    const fits = widest.every((number) => context.measureText(number).width <= room + 1);
    return fits && this.cellHeight >= TWO_LINES ? "above" : "";
  }

  drawCoordinates(
    context: CanvasRenderingContext2D,
    place: number[],
    middle: { x: number; y: number },
  ) {
    context.font = this.numbers === "above" ? FONT_ABOVE : FONT_BESIDE;
    const lines = this.numbers === "above" ? place.map(String) : [place.join(",")];
    lines.forEach((line, i) => context.fillText(line, middle.x, middle.y + 5 * (2 * i + 1 - lines.length)));
  }

  /** What the legend says of the numbers in the cells. */
  numbersInWords() {
    if (this.numbers === "" || !this.kinds.has("moved")) return "";
    if (this.state.rank === 1) return "Numbers: the coordinate";
    return this.numbers === "above" ? "Numbers: coordinate 0 above coordinate 1" : "Numbers: coordinates 0 and 1";
  }

  /** The cell drawn at a point of the canvas. */
  cellAt(x: number, y: number) {
    const perLine = LINE_BYTES / this.cellBytes;
    const column = Math.floor((x - LEFT) / this.cellWidth);
    const line = Math.floor((y - TOP) / this.cellHeight);
    if (column < 0 || column >= perLine || line < 0 || line >= this.drawn) return null;
    return line * perLine + column;
  }

  /** Where a piece is drawn. */
  frameOf(piece: Piece) {
    const { cellBytes } = this;
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
