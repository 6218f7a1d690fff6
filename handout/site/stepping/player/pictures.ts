// What the page shows of a state: the source with its warps, mbarriers, the engine, shared memory.

import { element } from "../../common/dom.ts";
import type { Place, Step, Variable } from "./messages.ts";
import { warpsInWords } from "./products.ts";
import { type Recording, type State, wordAt } from "./recording.ts";

const WORDS_A_ROW = 8;
const WORDS_A_ROW_OF_LARGE_TILES = 32;

/** What stands where there is nothing to show. */
export function idle(words: string) {
  return element("p", { class: "stepping-idle" }, words);
}

/** "CTA 1, warp 0", without the CTA where there is one. */
function warpName(recording: Recording, id: string) {
  const [rank, index] = id.split(",");
  return recording.ctas > 1 ? `C${rank} W${index}` : `W${index}`;
}

/** Each warp and its line: of a kernel of which not all lines are in sight. */
export function warpElements(recording: Recording, state: State) {
  if (state.warps.size === 0) return [idle("none has begun")];
  return [...state.warps].map(([id, warp]) =>
    element(
      "span",
      { class: `stepping-warp${warp.sleeps ? " stepping-asleep" : ""}` },
      `${warpName(recording, id)}: ${warp.line}`,
    )
  );
}

/** The kernel's lines, with the warps that stand at them. */
export function sourceElements(
  source: string[],
  recording: Recording,
  state: State,
  now: Step | undefined,
  without: number[],
) {
  const from = source.findIndex((line) => line.startsWith("__"));
  const main = source.findIndex((line) => line.startsWith("int main"));
  return source.slice(from, main === -1 ? source.length : main - 1).map((text, index) => {
    const number = from + index + 1;
    const badges = [...state.warps]
      .filter(([, warp]) => warp.line === number)
      .map(([id, warp]) =>
        element(
          "span",
          {
            class: `stepping-warp${warp.sleeps ? " stepping-asleep" : ""}`,
            "data-warp": id,
            title: warp.sleeps ? "it waits here" : "it runs here",
          },
          warpName(recording, id),
        )
      );
    const attributes: Record<string, string> = { class: "stepping-line", "data-line": String(number) };
    if (now?.line === number) attributes["data-now"] = "warp" in now ? "warp" : "engine";
    if (without.includes(number)) attributes["data-gone"] = "";
    return element(
      "div",
      attributes,
      element("span", { class: "stepping-number" }, String(number)),
      element("code", {}, text || " "),
      element("span", { class: "stepping-warps" }, ...badges),
    );
  });
}

/** "full[1] of CTA 0", without the CTA where there is one. */
export function mbarrierName(recording: Recording, [rank, offset]: Place) {
  return recording.nameOf(offset) + (recording.ctas > 1 ? ` of CTA ${rank}` : "");
}

/** Each mbarrier: its phase, what is pending, and the bytes that it waits for. Framed is what the step has changed. */
export function mbarrierElements(recording: Recording, state: State, before: State) {
  const said = (at: State, place: Place) =>
    at.mbarriers.has(place.join()) ? JSON.stringify(recording.mbarrierOf(at, place)) : "not initialized";
  return [...recording.mbarriers.values()].map((place) => {
    const name = mbarrierName(recording, place);
    if (!state.mbarriers.has(place.join())) {
      return element(
        "div",
        { class: "stepping-mbarrier stepping-idle" },
        element("b", {}, name),
        element("span", {}, "not initialized"),
      );
    }
    const { phase, pending, expected, bytes } = recording.mbarrierOf(state, place);
    const arrived = expected ? (100 * (expected - pending)) / expected : 0;
    const bar = element("span", { class: "stepping-bar" }, element("i", { style: `width:${arrived}%` }));
    const attributes: Record<string, string> = { class: "stepping-mbarrier", "data-phase": String(phase) };
    if (said(state, place) !== said(before, place)) attributes["data-new"] = "";
    return element(
      "div",
      attributes,
      element("b", {}, name),
      element("span", { class: "stepping-parity" }, `parity ${phase}`),
      element("span", {}, `${pending} of ${expected} arrivals pending`),
      bar,
      element("span", { class: "stepping-bytes" }, `tx-count ${bytes}`),
    );
  });
}

/** What the TMA engine has taken on and not finished. */
export function engineElements(recording: Recording, state: State) {
  if (state.bulks.size === 0) return [idle("nothing in flight")];
  return [...state.bulks.values()].map((bulk) =>
    element(
      "div",
      { class: "stepping-bulk" },
      element("b", {}, `${bulk.kind} ${bulk.issued}`),
      ` ${bulk.kind === "load" ? "into" : "of"} ${
        recording.rangeOf(bulk.shared[1], bulk.bytes)
      }, ${bulk.bytes} bytes, line ${bulk.line}`,
      bulk.mbarrier ? `, on ${mbarrierName(recording, bulk.mbarrier)}` : "",
      bulk.multicast ? `, to CTAs ${ranksOf(bulk.multicast).join(" and ")}` : "",
      bulk.swizzle ? `, swizzle ${bulk.swizzle} B` : "",
      bulk.isRead ? ", source read" : "",
    )
  );
}

/** What warpgroups have issued, and not heard to be done. */
export function productElements(recording: Recording, state: State) {
  if (state.products.size === 0) return [idle("nothing in flight")];
  return [...state.products.values()].map(({ number, line, warps, a, b, isCommitted, hasRead }) =>
    element(
      "div",
      { class: "stepping-bulk" },
      element("b", {}, `wgmma ${number}`),
      ` of ${warpsInWords(warps, recording.ctas)}, line ${line}: A ${
        a ? `at ${nameAt(recording, a)}` : "in registers"
      }`,
      `, B at ${nameAt(recording, b)}, ${isCommitted ? "in a group" : "in no group"}`,
      hasRead ? ", has been multiplied" : ", may read at any time",
    )
  );
}

/** "a[byte 2048]": the variable at a place, and how far in it. */
function nameAt(recording: Recording, [, offset]: Place) {
  const owner = recording.raw.variables.find((one) => offset >= one.offset && offset < one.offset + one.bytes);
  if (!owner) return `byte ${offset} of shared memory`;
  return owner.offset === offset ? owner.name : `${owner.name}[byte ${offset - owner.offset}]`;
}

export function ranksOf(mask: number) {
  return [...Array(16).keys()].filter((rank) => (mask >> rank) & 1);
}

/** A tile as one of the proxies sees it. The words of large tiles are colors, to be pointed at. */
function viewElement(
  state: State,
  tile: Variable,
  rank: number,
  view: number,
  now: Step | undefined,
  isLarge: boolean,
) {
  const cells = [];
  for (let offset = tile.offset; offset < tile.offset + tile.bytes; offset += 4) {
    const word = wordAt(state.memory[rank][view], offset);
    const other = wordAt(state.memory[rank][1 - view], offset);
    const attributes: Record<string, string> = { class: "stepping-cell" };
    if (word !== null) attributes.style = colorOf(word);
    else attributes.class += " stepping-unknown";
    if (view === 1 && word !== other) attributes["data-stale"] = "";
    const isNew = (now?.memory ?? []).some(
      ([v, r, at, text]) => v === view && r === rank && at < offset + 4 && at + text.length / 2 > offset,
    );
    if (isNew) attributes["data-new"] = "";
    const digits = word === null ? "·" : wordInDigits(word);
    if (isLarge) attributes.title = `${tile.name}[byte ${offset - tile.offset}]: ${digits}`;
    cells.push(element("span", attributes, isLarge ? "" : digits));
  }
  return rows(cells, isLarge ? WORDS_A_ROW_OF_LARGE_TILES : WORDS_A_ROW);
}

/** One word has one color, wherever it is. */
export function colorOf(word: number) {
  return `--hue:${(word * 37) % 360}`;
}

/** Large words are no numbers to read: they stand there in hexadecimal. */
export function wordInDigits(word: number) {
  return word > 99999 ? word.toString(16) : String(word);
}

export function rows(cells: HTMLElement[], columns = WORDS_A_ROW) {
  return element("div", { class: "stepping-cells", style: `--columns:${columns}` }, ...cells);
}

/** Every tile in both views, side by side. */
export function memoryElements(recording: Recording, state: State, now: Step | undefined) {
  if (recording.tiles().length === 0) return [idle("no tile in this kernel")];
  const isLarge = recording.hasLargeTiles();
  const figures = [];
  for (let rank = 0; rank < recording.ctas; rank++) {
    for (const tile of recording.tiles()) {
      const name = tile.name + (recording.ctas > 1 ? ` of CTA ${rank}` : "");
      const views = ["what threads see (generic proxy)", "what the TMA engine sees (async proxy)"].map((title, view) =>
        element("div", {}, element("small", {}, title), viewElement(state, tile, rank, view, now, isLarge))
      );
      figures.push(
        element(
          "figure",
          { class: "stepping-tile" },
          element("figcaption", {}, name),
          element("div", { class: "stepping-views" }, ...views),
        ),
      );
    }
  }
  return figures;
}
