// How a cell is filled, by what becomes of it, the same in both pictures; and the legends, which name what is in use.

import { element } from "../common/dom.ts";
import { prepare } from "./canvas.ts";
import { hatch, type Palette, palette } from "./colors.ts";
import { isOutside, type State } from "./state.ts";
import type { Tile } from "./tile.ts";

/**
 * What becomes of a cell. "moved": in the tensor and in the tile. "beyond": behind the end of a row, and a store writes
 * it all the same. "outside": in the box and not in the tensor. "rest": in the tensor and not in the tile. "nowhere": in
 * neither. "gap": shared memory that the engine leaves alone.
 */
export type Kind = "moved" | "beyond" | "outside" | "rest" | "nowhere" | "gap";

/** The kind of what the tile holds at an index. */
export function kindOf(state: State, tile: Tile, index: number): Kind {
  const { inBounds, place } = tile.answer.pieces[index];
  if (!inBounds) return "outside";
  return isOutside(state, place) ? "beyond" : "moved";
}

/** Fills a cell. `color` is that of its bank or row, where the kind has one. */
export function fillCell(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  kind: Kind,
  colors: Palette,
  color: string,
) {
  const isColored = kind === "moved" || kind === "beyond";
  context.fillStyle = isColored ? color : kind === "rest" || kind === "gap" ? colors.paper : colors.outside;
  context.fillRect(x, y, width, height);
  if (kind === "outside") hatch(context, x, y, width, height, colors.hatch);
  if (kind === "beyond") {
    hatch(context, x, y, width, height, colors.label);
    hatch(context, x, y, width, height, colors.label, true);
  }
}

const SWATCH = 14;

/**
 * The legend of a picture that has cells of these kinds.
 * @param numbers what the numbers in the cells are, "" where there are none
 */
export function legendElements(kinds: Set<Kind>, state: State, numbers: string) {
  const isLoad = state.op === "load";
  const fill = state.fill === "zero" ? "0" : "NaN";
  const names: Record<Kind, string> = {
    moved: `moved, in the color of its ${state.color === "rows" ? "row of the tile" : "bank"}`,
    beyond: "behind the end of its row, and written all the same",
    outside: `outside the tensor: ${isLoad ? `arrives as ${fill}` : "not written"}`,
    rest: "in the tensor, not in the tile",
    nowhere: "neither in the tensor nor in the box",
    gap: "left alone by the engine",
  };
  const used = (Object.keys(names) as Kind[]).filter((kind) => kinds.has(kind));
  const items = used.map((kind) => element("li", { "data-kind": kind }, swatch(kind), names[kind]));
  if (numbers !== "") items.push(element("li", {}, numbers));
  return items;
}

function swatch(kind: Kind) {
  const canvas = element("canvas", { "aria-hidden": "true" });
  const colors = palette();
  const whole = { x: 0, y: 0, width: SWATCH, height: SWATCH };
  fillCell(prepare(canvas, SWATCH, SWATCH), whole, kind, colors, colors.wheel(0, 8));
  return canvas;
}
