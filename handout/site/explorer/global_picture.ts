// The picture at the left: the tensor in global memory as planes of its dimensions 0 and 1, with the box in it.

import { bankOf, BANKS } from "./banks.ts";
import { prepare } from "./canvas.ts";
import { type Palette, palette } from "./colors.ts";
import { fillCell, type Kind, kindOf } from "./patterns.ts";
import { DEFAULT, isOutside, type State } from "./state.ts";
import type { Tile } from "./tile.ts";

/** The part of a dimension that is drawn. */
interface Span {
  from: number;
  to: number;
}

/** Where a plane is drawn, and the first position in it. */
interface Plane {
  x: number;
  y: number;
  place: number[];
}

// No more positions than these are drawn of a dimension. Those around the box are.
const MOST_DRAWN = [132, 96, 6, 4, 3];
const AROUND_BOX = 3;
const GAP = 14;
const LABEL_HEIGHT = 18;

/** The part of a dimension that is drawn: all of tensor and box, or else what is around the box. */
export function spanOf(state: State, dimension: number) {
  const [size, at, box] = [state.size[dimension], state.at[dimension], state.box[dimension]];
  const most = MOST_DRAWN[dimension];
  const from = Math.min(0, at);
  const to = Math.max(size, at + box);
  if (to - from <= most) return { from, to };
  // Less than that where there is no room: the box itself comes first.
  const around = Math.max(0, Math.min(AROUND_BOX, Math.floor((most - box) / 2)));
  const nearFrom = Math.max(from, at - around);
  return { from: nearFrom, to: Math.min(to, at + box + around, nearFrom + most) };
}

export class GlobalPicture {
  /** What is drawn. */
  readonly kinds = new Set<Kind>();
  private readonly canvas: HTMLCanvasElement;
  private state: State = DEFAULT;
  private planes: Plane[] = [];
  private spans: Span[] = [];
  private cell = 10;
  private width = 0;
  private height = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
  }

  /** Draws a tile in its tensor. `width` is what there is room for. */
  draw(state: State, tile: Tile, width: number) {
    this.state = state;
    this.arrange(width);
    const context = prepare(this.canvas, this.width, this.height);
    const colors = palette();
    this.kinds.clear();
    for (const plane of this.planes) this.drawPlane(context, colors, tile, plane);
  }

  /** Whether cells are large enough for the number of their bank or row. */
  hasNumbers() {
    return this.cell >= 18;
  }

  /** Places the planes, as many beside one another as fit. */
  arrange(width: number) {
    const { state } = this;
    this.spans = state.size.map((_, dimension) =>
      dimension < state.rank ? spanOf(state, dimension) : { from: 0, to: 1 }
    );
    const [columns, rows] = this.spans.map(({ from, to }) => Math.max(1, to - from));
    const several = state.rank > 2 && this.spans.slice(2).some(({ from, to }) => to - from > 1);
    const wanted = several && width > 420 ? (width - GAP) / 2 : width;
    this.cell = Math.max(5, Math.min(24, Math.floor((wanted - 2) / columns)));
    const planeWidth = columns * this.cell;
    const planeHeight = rows * this.cell + (state.rank > 2 ? LABEL_HEIGHT : 0);
    const perRow = Math.max(1, Math.floor((width + GAP) / (planeWidth + GAP)));
    const places = this.planePlaces();
    this.planes = places.map((place, i) => ({
      x: 1 + (i % perRow) * (planeWidth + GAP),
      y: 1 + Math.floor(i / perRow) * (planeHeight + GAP) + (state.rank > 2 ? LABEL_HEIGHT : 0),
      place,
    }));
    this.width = Math.min(places.length, perRow) * (planeWidth + GAP) - GAP + 2;
    this.height = Math.ceil(places.length / perRow) * (planeHeight + GAP) - GAP + 2;
  }

  /** The first position of each plane. */
  planePlaces() {
    let places: number[][] = [[]];
    for (let dimension = 4; dimension >= 0; --dimension) {
      const { from, to } = this.spans[dimension];
      const indices = dimension < 2 ? [from] : Array.from({ length: to - from }, (_, i) => from + i);
      places = places.flatMap((outer) => indices.map((index) => [index, ...outer]));
    }
    return places;
  }

  drawPlane(
    context: CanvasRenderingContext2D,
    colors: Palette,
    tile: Tile,
    plane: Plane,
  ) {
    const { state, cell } = this;
    if (state.rank > 2) {
      context.fillStyle = colors.ink;
      context.font = "12px ui-monospace, monospace";
      context.textBaseline = "alphabetic";
      context.textAlign = "left";
      context.fillText(`( ·, ·, ${plane.place.slice(2, state.rank).join(", ")} )`, plane.x, plane.y - 6);
    }
    const [columns, rows] = this.spans;
    for (let row = rows.from; row < rows.to; ++row) {
      for (let column = columns.from; column < columns.to; ++column) {
        const x = plane.x + (column - columns.from) * cell;
        const y = plane.y + (row - rows.from) * cell;
        this.drawCell(context, colors, tile, x, y, [column, row, ...plane.place.slice(2)]);
      }
    }
    this.outlineBox(context, colors, plane);
  }

  drawCell(
    context: CanvasRenderingContext2D,
    colors: Palette,
    tile: Tile,
    x: number,
    y: number,
    place: number[],
  ) {
    const { state, cell } = this;
    const [index] = tile.at(place);
    const isInTile = index !== undefined;
    const kind = isInTile ? kindOf(state, tile, index) : isOutside(state, place) ? "nowhere" : "rest";
    this.kinds.add(kind);
    const line = cell > 6 ? 1 : 0.5;
    const size = cell - line;
    const color = isInTile ? colorOf(tile, index, state, colors) : "";
    fillCell(context, { x, y, width: size, height: size }, kind, colors, color);
    if (kind !== "moved" || !this.hasNumbers()) return;
    context.fillStyle = colors.label;
    context.font = `${Math.floor(cell * 0.46)}px ui-sans-serif, system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(labelOf(tile, index, state), x + size / 2, y + size / 2 + 0.5);
  }

  outlineBox(
    context: CanvasRenderingContext2D,
    colors: Palette,
    plane: Plane,
  ) {
    const frame = this.boxIn(plane);
    if (!frame) return;
    context.strokeStyle = colors.box;
    context.lineWidth = 2;
    context.strokeRect(frame.x - 0.5, frame.y - 0.5, frame.width, frame.height);
  }

  /** Where the box is in a plane, if it crosses it. */
  boxIn(plane: Plane) {
    const { state, cell } = this;
    const crossed = plane.place.every(
      (at, i) => i < 2 || i >= state.rank || (at >= state.at[i] && at < state.at[i] + state.box[i]),
    );
    if (!crossed) return null;
    const [left, top] = [0, 1].map((i) => Math.max(this.spans[i].from, i < state.rank ? state.at[i] : 0));
    const [right, bottom] = [0, 1].map((i) =>
      Math.min(this.spans[i].to, i < state.rank ? state.at[i] + state.box[i] : 1)
    );
    return {
      x: plane.x + (left - this.spans[0].from) * cell,
      y: plane.y + (top - this.spans[1].from) * cell,
      width: (right - left) * cell,
      height: (bottom - top) * cell,
    };
  }

  /** Where the box begins: the first plane that it crosses, with its caption, and the box in it. */
  beginning() {
    const first = this.planes.find((plane) => this.boxIn(plane));
    const box = first && this.boxIn(first);
    if (!box) return null;
    const [columns, rows] = this.spans;
    const caption = this.state.rank > 2 ? LABEL_HEIGHT : 0;
    const plane = {
      x: first.x - 1,
      y: first.y - caption - 1,
      width: (columns.to - columns.from) * this.cell + 2,
      height: (rows.to - rows.from) * this.cell + caption + 2,
    };
    return { plane, box };
  }

  /** The position drawn at a point of the canvas. */
  placeAt(x: number, y: number) {
    const [columns, rows] = this.spans;
    for (const plane of this.planes) {
      const column = columns.from + Math.floor((x - plane.x) / this.cell);
      const row = rows.from + Math.floor((y - plane.y) / this.cell);
      if (column < columns.from || column >= columns.to || row < rows.from || row >= rows.to) continue;
      return [column, row, ...plane.place.slice(2)];
    }
    return null;
  }

  /** Where a position is drawn. */
  frameOf(place: number[]) {
    const { rank } = this.state;
    const [columns, rows] = this.spans;
    const plane = this.planes.find((candidate) =>
      candidate.place.every((at, dimension) => dimension < 2 || dimension >= rank || at === place[dimension])
    );
    const [column, row] = [place[0], rank > 1 ? place[1] : 0];
    if (!plane || column < columns.from || column >= columns.to || row < rows.from || row >= rows.to) return null;
    return {
      x: plane.x + (column - columns.from) * this.cell,
      y: plane.y + (row - rows.from) * this.cell,
      width: this.cell,
      height: this.cell,
    };
  }

  /** Whether something of tensor or box is not drawn. */
  isCut() {
    const { state } = this;
    return this.spans.some(
      ({ from, to }, i) =>
        i < state.rank && (from > Math.min(0, state.at[i]) || to < Math.max(state.size[i], state.at[i] + state.box[i])),
    );
  }
}

/** A piece's color: the same in both pictures. */
export function colorOf(
  tile: Tile,
  index: number,
  state: State,
  colors: Palette,
) {
  if (state.color === "rows") return colors.wheel(tile.rowOf(index) % 8, 8);
  return colors.wheel(bankOf(state.shared + tile.answer.pieces[index].sharedOffset), BANKS);
}

function labelOf(tile: Tile, index: number, state: State) {
  if (state.color === "rows") return String(tile.rowOf(index));
  return String(bankOf(state.shared + tile.answer.pieces[index].sharedOffset));
}
