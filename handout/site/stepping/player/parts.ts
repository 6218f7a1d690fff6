// The elements of a stepping page that change, and where they stand below the controls.

import { element } from "../../common/dom.ts";

export type Parts = ReturnType<typeof makeParts>;

function panel(title: string, content: HTMLElement) {
  return element("section", { class: "stepping-panel" }, element("h2", { class: "stepping-title" }, title), content);
}

export function makeParts() {
  const part = <T extends keyof HTMLElementTagNameMap>(name: string, tag: T, attributes: Record<string, string> = {}) =>
    element(tag, { class: `stepping-${name}`, ...attributes });
  const printed = part("printed", "pre");
  const products = part("products", "div");
  return {
    slider: part("slider", "input", { type: "range", min: "0", "aria-label": "step" }),
    run: element("button", { type: "button", "aria-label": "run", title: "run", "data-press": "run" }),
    count: part("count", "output"),
    seed: part("seed", "label", { hidden: "" }),
    outlook: part("outlook", "p"),
    words: part("words", "p", { role: "status" }),
    finding: part("finding", "div", { hidden: "" }),
    own: part("own", "p", { hidden: "" }),
    source: part("source", "div", { tabindex: "0", role: "group", "aria-label": "the kernel" }),
    warps: part("all-warps", "div"),
    mbarriers: part("mbarriers", "div"),
    engine: part("engine", "div"),
    products,
    multiplies: panel("The tensor cores", products),
    memory: part("memory", "div"),
    result: part("result", "div"),
    printed,
    prints: panel("What the kernel prints", printed),
    ptx: part("ptx-text", "textarea", { spellcheck: "false", rows: "24", "aria-label": "PTX" }),
    ran: part("ran", "p", { role: "status" }),
    refused: part("refused", "pre", { hidden: "", role: "alert" }),
  };
}

/** What the player shows of a state. */
export function statePanels(parts: Parts) {
  const column = (name: string, label: string, ...panels: HTMLElement[]) =>
    element("div", { class: `stepping-${name}`, role: "group", "aria-label": label }, ...panels);
  return element(
    "div",
    { class: "stepping-columns" },
    panel("Warps at their lines", parts.source),
    column(
      "state",
      "what is going on",
      parts.warps,
      panel("mbarriers", parts.mbarriers),
      panel("The TMA engine", parts.engine),
      parts.multiplies,
    ),
    column(
      "data",
      "memory",
      panel("Shared memory", parts.memory),
      panel("The result in global memory", parts.result),
      parts.prints,
    ),
  );
}

/** What the kernel was compiled to, to be changed and run. */
export function ptxPanel(parts: Parts, ...buttons: HTMLElement[]) {
  return element(
    "details",
    { class: "stepping-ptx" },
    element("summary", {}, "The PTX that runs here, to be changed"),
    parts.ptx,
    element("div", { class: "stepping-ptx-buttons" }, ...buttons),
    parts.ran,
    parts.refused,
  );
}
