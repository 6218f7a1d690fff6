// How a cell is filled, by what becomes of it, the same in both pictures; and the legends, which name what is in use.

import { hatch, palette } from "./colors.js";
import { element } from "./dom.js";
import { isOutside } from "./state.js";
import { prepare } from "./canvas.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./tile.js").Tile} Tile */
/** @typedef {import("./colors.js").Palette} Palette */

/**
 * What becomes of a cell. "moved": in the tensor and in the tile. "beyond": behind the end of a row, and a store writes
 * it all the same. "outside": in the box and not in the tensor. "rest": in the tensor and not in the tile. "nowhere": in
 * neither. "gap": shared memory that the engine leaves alone.
 * @typedef {"moved" | "beyond" | "outside" | "rest" | "nowhere" | "gap"} Kind
 */

/**
 * The kind of what the tile holds at an index.
 * @param {State} state
 * @param {Tile} tile
 * @param {number} index
 * @returns {Kind}
 */
export function kindOf(state, tile, index) {
  const { inBounds, place } = tile.answer.pieces[index];
  if (!inBounds) return "outside";
  return isOutside(state, place) ? "beyond" : "moved";
}

/**
 * Fills a cell. `color` is that of its bank or row, where the kind has one.
 * @param {CanvasRenderingContext2D} context
 * @param {{x: number, y: number, width: number, height: number}} cell
 * @param {Kind} kind
 * @param {Palette} colors
 * @param {string} color
 */
export function fillCell(context, { x, y, width, height }, kind, colors, color) {
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
 * @param {Set<Kind>} kinds
 * @param {State} state
 * @param {string} numbers what the numbers in the cells are, "" where there are none
 */
export function legendElements(kinds, state, numbers) {
  const isLoad = state.op === "load";
  const fill = state.fill === "zero" ? "0" : "NaN";
  /** @type {Record<Kind, string>} */
  const names = {
    moved: `moved, in the color of its ${state.color === "rows" ? "row of the tile" : "bank"}`,
    beyond: "behind the end of its row, and written all the same",
    outside: `outside the tensor: ${isLoad ? `arrives as ${fill}` : "not written"}`,
    rest: "in the tensor, not in the tile",
    nowhere: "neither in the tensor nor in the box",
    gap: "left alone by the engine",
  };
  const used = /** @type {Kind[]} */ (Object.keys(names)).filter((kind) => kinds.has(kind));
  const items = used.map((kind) => element("li", { "data-kind": kind }, swatch(kind), names[kind]));
  if (numbers !== "") items.push(element("li", {}, numbers));
  return items;
}

function swatch(/** @type {Kind} */ kind) {
  const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
  const colors = palette();
  const whole = { x: 0, y: 0, width: SWATCH, height: SWATCH };
  fillCell(prepare(canvas, SWATCH, SWATCH), whole, kind, colors, colors.wheel(0, 8));
  return canvas;
}
