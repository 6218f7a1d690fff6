// The controls: what is chosen from a list, and for each dimension five numbers, each as a field and as a slider.

import { element } from "../common/dom.ts";
import { byId } from "./dom.ts";
import { MAX_RANK } from "./module.ts";
import { type ChoiceName, CHOICES, DEFAULT, packedStrides, positionBytes, type State } from "./state.ts";

const CHOICE_TITLES: Record<ChoiceName, string> = {
  type: "Data type",
  swizzle: "Swizzle",
  interleave: "Interleave",
  fill: "Out-of-bounds fill",
  op: "Operation",
  color: "Colors show",
};

const CHOICE_NAMES = Object.keys(CHOICE_TITLES) as ChoiceName[];

/** Single values that a narrow page folds away. So it does with element strides. */
const FOLDED = ["interleave", "fill", "shared", "color", "stride"] as const;

interface NumberOfDimension {
  name: "size" | "stride" | "box" | "step" | "at";
  title: string;
  unit: string;
  first: number;
}

/** Numbers of a dimension: their name in a state, on the page, and which dimensions have them. */
const NUMBERS: NumberOfDimension[] = [
  { name: "size", title: "size", unit: "elements", first: 0 },
  { name: "stride", title: "stride", unit: "bytes", first: 1 },
  { name: "box", title: "box", unit: "elements", first: 0 },
  { name: "step", title: "element stride", unit: "", first: 0 },
  { name: "at", title: "coordinate", unit: "", first: 0 },
];

/** Builds the controls. `change` is called with what a reader does to the state. */
export function buildControls(change: Change) {
  const choices = element("div", { class: "explorer-choices" });
  for (const name of CHOICE_NAMES) choices.append(choiceOf(name, change));
  choices.insertBefore(rankControl(change), choices.children[1]);
  choices.insertBefore(sharedControl(change), choices.lastChild);
  const dimensions = element("div", { class: "explorer-dimensions" }, titles());
  for (let i = 0; i < MAX_RANK; ++i) dimensions.append(dimensionControls(i, change));
  return element(
    "div",
    { class: "explorer-controls", id: "explorer-controls" },
    choices,
    moreButton(),
    packedControl(change),
    dimensions,
    element("p", { class: "explorer-unread", id: "explorer-unread", role: "status", hidden: "" }),
  );
}

/** What the columns of numbers are. A narrow page has no columns: there, each number has its own title. */
function titles() {
  const names = ["dimension", ...NUMBERS.map(({ title }) => title)];
  return element(
    "div",
    { class: "explorer-titles", "aria-hidden": "true" },
    ...names.map((name) => element("span", {}, name)),
  );
}

/** A narrow page shows what most readers do not set only if it is asked for. */
function moreButton() {
  const button = element(
    "button",
    {
      type: "button",
      id: "explorer-more",
      class: "explorer-more",
      "aria-controls": "explorer-controls",
      "aria-expanded": "false",
    },
    "Strides, fill and more",
  );
  button.addEventListener("click", () => showMore(button.getAttribute("aria-expanded") !== "true"));
  return button;
}

function showMore(isShown: boolean) {
  byId("more").setAttribute("aria-expanded", String(isShown));
}

/** Shows what is folded if a state sets some of it: nothing that a link says is hidden. */
export function showMoreOf(state: State) {
  const isSet = FOLDED.some((name) => state[name] !== DEFAULT[name]);
  if (isSet || state.step.some((step) => step !== 1)) showMore(true);
}

/** Takes what a reader does to the state. */
type Change = (edit: (state: State) => void) => void;

function choiceOf(name: ChoiceName, change: Change) {
  const options = CHOICES[name].map(({ key, label }) => element("option", { value: key }, label));
  const select = element("select", { id: `explorer-${name}` }, ...options);
  select.addEventListener("change", () => change((state) => void (state[name] = select.value)));
  return element(
    "label",
    { class: classOf("explorer-choice", name) },
    element("span", {}, CHOICE_TITLES[name]),
    select,
  );
}

function classOf(kind: string, name: string) {
  return name === "step" || FOLDED.some((folded) => folded === name) ? `${kind} explorer-folded` : kind;
}

function rankControl(change: Change) {
  const slider = element("input", { type: "range", id: "explorer-rank", min: "1", max: "5", step: "1" });
  slider.addEventListener("input", () => change((state) => void (state.rank = slider.valueAsNumber)));
  const title = element("span", {}, "Rank ", element("b", { id: "explorer-rank-value" }));
  return element("label", { class: "explorer-choice" }, title, slider);
}

/** Where the tile lies in shared memory: what a swizzle depends on. */
function sharedControl(change: Change) {
  const slider = element("input", { type: "range", id: "explorer-shared", min: "0", max: "1024", step: "128" });
  slider.addEventListener("input", () => change((state) => void (state.shared = slider.valueAsNumber)));
  const title = element("span", {}, "Tile at address ", element("b", { id: "explorer-shared-value" }));
  return element("label", { class: classOf("explorer-choice", "shared") }, title, slider);
}

function packedControl(change: Change) {
  const box = element("input", { type: "checkbox", id: "explorer-packed" });
  box.addEventListener("change", () => change((state) => void (state.stride = box.checked ? null : shownStrides())));
  return element(
    "label",
    { class: classOf("explorer-packed", "stride") },
    box,
    " strides without gaps, from the sizes",
  );
}

/** What the stride fields show now. */
function shownStrides() {
  return Array.from({ length: MAX_RANK - 1 }, (_, i) => byId(`stride-${i + 1}`, HTMLInputElement).valueAsNumber || 0);
}

function dimensionControls(dimension: number, change: Change) {
  const numbers = NUMBERS.filter(({ first }) => dimension >= first);
  return element(
    "fieldset",
    { class: "explorer-dimension", id: `explorer-dimension-${dimension}`, "aria-label": `Dimension ${dimension}` },
    element(
      "span",
      { class: "explorer-dimension-title" },
      element("span", { class: "explorer-narrow" }, "Dimension "),
      dimension === 0 ? "0, innermost" : String(dimension),
    ),
    ...numbers.map((number) => numberControl(dimension, number, change)),
  );
}

/** A field for any number, and a slider over the likely ones. */
function numberControl(dimension: number, { name, title, unit }: NumberOfDimension, change: Change) {
  const id = `explorer-${name}-${dimension}`;
  const label = `${title} of dimension ${dimension}${unit === "" ? "" : `, in ${unit}`}`;
  const field = element("input", { type: "number", id, "aria-label": label });
  const slider = element("input", { type: "range", id: `${id}-slider`, "aria-label": `${label}: slider` });
  for (const input of [field, slider]) {
    input.addEventListener("input", () => {
      const value = input.valueAsNumber;
      if (Number.isSafeInteger(value)) change((state) => setNumber(state, name, dimension, value));
      else markUnread(input);
    });
  }
  const caption = element("label", { for: id }, title);
  return element("div", { class: classOf("explorer-number", name), "data-number": name }, caption, field, slider);
}

/** Marks a field that has no whole number now, and says which number counts in its place. */
function markUnread(field: HTMLInputElement) {
  field.setAttribute("aria-invalid", "true");
  const [what] = (field.ariaLabel ?? "").split(",");
  byId("unread").textContent =
    `The ${what} has no whole number now: ${field.dataset.counts}, the last one, still counts.`;
  byId("unread").hidden = false;
}

function unmarkUnread() {
  for (const field of document.querySelectorAll(".explorer [aria-invalid]")) field.removeAttribute("aria-invalid");
  byId("unread").hidden = true;
}

function setNumber(
  state: State,
  name: NumberOfDimension["name"],
  dimension: number,
  value: number,
) {
  if (name === "stride") {
    state.stride ??= shownStrides();
    state.stride[dimension - 1] = value;
  } else {
    state[name][dimension] = value;
  }
}

/** Shows a state in the controls. The field that the reader is typing in stays as it is. */
export function showState(state: State, elementBytes: number) {
  unmarkUnread();
  for (const name of CHOICE_NAMES) byId(name, HTMLSelectElement).value = state[name];
  byId("rank", HTMLInputElement).value = String(state.rank);
  byId("rank-value").textContent = String(state.rank);
  byId("shared", HTMLInputElement).value = String(state.shared);
  byId("shared-value").textContent = `0x${state.shared.toString(16)}`;
  byId("packed", HTMLInputElement).checked = state.stride === null;
  const strides = state.stride ?? packedStrides(state, positionBytes(state, elementBytes));
  for (let dimension = 0; dimension < MAX_RANK; ++dimension) {
    byId(`dimension-${dimension}`).hidden = dimension >= state.rank;
    const [size, box, at] = [state.size[dimension], state.box[dimension], state.at[dimension]];
    showNumber("size", dimension, size, { min: 1, max: dimension === 0 ? 128 : 64 });
    showNumber("box", dimension, box, { min: 1, max: Math.min(257, Math.max(16, size + 4)) });
    showNumber("step", dimension, state.step[dimension], { min: 1, max: 9 });
    showNumber("at", dimension, at, { min: -box, max: size + 1 });
    if (dimension > 0) {
      const packed = packedStrides(state, positionBytes(state, elementBytes))[dimension - 1];
      showNumber("stride", dimension, strides[dimension - 1], { min: 0, max: 2 * packed, step: 8 });
    }
  }
}

function showNumber(
  name: string,
  dimension: number,
  value: number,
  { min, max, step = 1 }: { min: number; max: number; step?: number },
) {
  const field = byId(`${name}-${dimension}`, HTMLInputElement);
  if (document.activeElement !== field || field.valueAsNumber !== value) field.value = String(value);
  field.dataset.counts = String(value);
  const slider = byId(`${name}-${dimension}-slider`, HTMLInputElement);
  slider.min = String(Math.min(min, value));
  slider.max = String(Math.max(max, value));
  slider.step = String(step);
  slider.value = String(value);
}
