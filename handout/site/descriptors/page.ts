// The explorer of matrix descriptors: controls, the module's answer, and shared memory as a table. The state lives in the
// page's address.

import { element } from "../common/dom.ts";
import { moduleOfPage } from "../common/wasm.ts";
import { MatrixModule } from "./module.ts";
import {
  CHOICE_NAMES,
  type ChoiceName,
  CHOICES,
  fromFragment,
  isAllowed,
  NUMBER_NAMES,
  type NumberName,
  NUMBERS,
  type State,
  toFragment,
} from "./state.ts";
import { Table } from "./table.ts";
import { factsOf, warningOf } from "./words.ts";

const HINT = "Point at a cell, or go to the table and use the arrow keys.";
const LEGEND = "A cell says row:k, the first of its elements. Plain cells begin at k 0, framed ones at k 8; " +
  "the color is that of the row among 8. A dot: not read.";

class Explorer {
  readonly module: MatrixModule;
  state = fromFragment(location.hash);
  private readonly selects = {} as Record<ChoiceName, HTMLSelectElement>;
  private readonly fields = {} as Record<NumberName, HTMLInputElement>;
  private readonly warning = element("p", { class: "explorer-verdict", role: "status", "data-verdict": "engine" });
  private readonly position = element("p", { class: "explorer-position", "aria-live": "polite" }, HINT);
  private readonly facts = element("dl", { class: "explorer-facts" });
  private readonly table = new Table((words) => void (this.position.textContent = words));

  constructor(root: HTMLElement, module: MatrixModule) {
    this.module = module;
    const scrolled = element("div", { class: "explorer-scroll" }, this.table.root);
    root.replaceChildren(
      element("div", { class: "explorer-controls" }, this.controls()),
      this.warning,
      this.position,
      scrolled,
      element("p", { class: "descriptor-legend" }, LEGEND),
      this.facts,
    );
    addEventListener("hashchange", () => {
      if (location.hash === toFragment(this.state)) return;
      this.state = fromFragment(location.hash);
      this.show();
    });
    this.show();
  }

  private controls() {
    const choices = CHOICE_NAMES.map((name) => {
      const options = Object.entries(CHOICES[name].values).map(([value, text]) => element("option", { value }, text));
      const select = element("select", { id: `descriptor-${name}` }, ...options);
      select.addEventListener("change", () => this.change({ [name]: select.value }));
      this.selects[name] = select;
      return labeled(CHOICES[name].title, select);
    });
    const numbers = NUMBER_NAMES.map((name) => {
      const { title, min, max, step } = NUMBERS[name];
      const attributes = { type: "number", min: String(min), max: String(max), step: String(step) };
      const field = element("input", { id: `descriptor-${name}`, ...attributes });
      field.addEventListener("input", () => {
        const isRead = isAllowed(name, field.valueAsNumber);
        if (isRead) field.removeAttribute("aria-invalid");
        else field.setAttribute("aria-invalid", "true");
        if (isRead) this.change({ [name]: field.valueAsNumber });
      });
      this.fields[name] = field;
      return labeled(title, field);
    });
    return element("div", { class: "explorer-choices descriptor-choices" }, ...choices, ...numbers);
  }

  private change(edit: Partial<State>) {
    Object.assign(this.state, edit);
    history.replaceState(null, "", toFragment(this.state));
    this.show();
  }

  /** Asks the module, and shows its answer. The field that the reader is typing in stays as it is. */
  private show() {
    const { state } = this;
    for (const name of CHOICE_NAMES) this.selects[name].value = state[name];
    for (const name of NUMBER_NAMES) {
      const field = this.fields[name];
      if (document.activeElement !== field || field.valueAsNumber !== state[name]) field.value = String(state[name]);
    }
    const answer = this.module.ask(state);
    this.warning.textContent = warningOf(state, answer);
    this.warning.hidden = this.warning.textContent === "";
    this.position.textContent = HINT;
    this.table.show(state, answer);
    const facts = factsOf(state, answer);
    this.facts.replaceChildren(
      ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
    );
  }
}

function labeled(title: string, control: HTMLElement) {
  return element("label", { class: "explorer-choice" }, element("span", {}, title), control);
}

/** Shows the explorer in place of what the page says without it. */
async function start() {
  const root = document.getElementById("descriptors") as HTMLElement;
  const module = await MatrixModule.load(moduleOfPage());
  // For those who ask the module in the browser's console, and for the tests.
  Object.assign(globalThis, { descriptorExplorer: new Explorer(root, module) });
}

start();
