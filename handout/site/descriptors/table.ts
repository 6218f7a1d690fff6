// Shared memory as a table: a row for each 128 bytes, a cell for each 16. Lines that nothing is read of are one row.

import { element } from "../common/dom.ts";
import type { Answer, Chunk } from "./module.ts";
import type { State } from "./state.ts";
import { hexadecimal, label, LINE_BYTES, placeInWords } from "./words.ts";

const CHUNK_BYTES = 16;
const CELLS = LINE_BYTES / CHUNK_BYTES;

export class Table {
  readonly root = element("table", { class: "descriptor-memory", role: "grid", "aria-label": "Shared memory" });
  /** The cells by row and column, without the rows that stand for lines that are not read. */
  private cells: HTMLElement[][] = [];
  private readonly say: (words: string) => void;

  /** `say` is told what is in the cell that a reader goes or points to. */
  constructor(say: (words: string) => void) {
    this.say = say;
    this.root.addEventListener("keydown", (event) => this.onKey(event));
  }

  show(state: State, answer: Answer) {
    const at = new Map<number, Chunk[]>();
    for (const chunk of answer.chunks) at.set(chunk.address, [...(at.get(chunk.address) ?? []), chunk]);
    const used = [...new Set([...at.keys()].map((address) => Math.floor(address / LINE_BYTES)))].sort((a, b) => a - b);
    this.cells = [];
    const rows = used.flatMap((line, index) => {
      const before = index === 0 ? line : used[index - 1] + 1;
      const gap = before < line && index > 0 ? [gapRow(before, line)] : [];
      return [...gap, this.lineRow(state, line * LINE_BYTES, at)];
    });
    this.root.replaceChildren(headRow(), element("tbody", {}, ...rows));
    this.cells[0]?.[0].setAttribute("tabindex", "0");
  }

  private lineRow(state: State, line: number, at: Map<number, Chunk[]>) {
    const cells = Array.from({ length: CELLS }, (_, column) => {
      const address = line + column * CHUNK_BYTES;
      const chunks = at.get(address) ?? [];
      const attributes: Record<string, string> = { tabindex: "-1", "data-address": String(address) };
      if (chunks.length > 0) {
        attributes["data-half"] = String(Math.floor(chunks[0].k / 8));
        attributes.style = `--hue:${(chunks[0].row % 8) * 45}`;
      }
      const cell = element("td", attributes, chunks.length > 0 ? chunks.map(label).join(" ") : "·");
      const words = placeInWords(state, address, chunks);
      cell.setAttribute("aria-label", words);
      cell.addEventListener("focus", () => this.say(words));
      cell.addEventListener("pointerenter", () => this.say(words));
      return cell;
    });
    this.cells.push(cells);
    return element("tr", {}, element("th", { scope: "row" }, hexadecimal(line)), ...cells);
  }

  /** Arrow keys move from cell to cell; one cell at a time is in the order of the tabulator key. */
  private onKey(event: KeyboardEvent) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const row = this.cells.findIndex((cells) => cells.includes(event.target as HTMLElement));
    if (!move || row < 0) return;
    event.preventDefault();
    const column = this.cells[row].indexOf(event.target as HTMLElement);
    const next = this.cells[row + move[1]]?.[column + move[0]];
    if (!next) return;
    this.cells[row][column].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}

function headRow() {
  const titles = Array.from({ length: CELLS }, (_, i) => element("th", { scope: "col" }, `+${i * CHUNK_BYTES}`));
  return element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "line"), ...titles));
}

function gapRow(from: number, to: number) {
  const count = to - from;
  const words = `${count} ${count === 1 ? "line" : "lines"} that ${count === 1 ? "is" : "are"} not read`;
  return element("tr", { class: "descriptor-gap" }, element("td", { colspan: String(CELLS + 1) }, words));
}
