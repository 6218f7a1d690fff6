// A stepping page: plays recordings of one kernel, which the emulator made when the book was written. The page itself
// runs no kernel, so it shows these versions under these policies and no others.

import { element, sign } from "./dom.js";
import { engineElements, mbarrierElements, memoryElements, sourceElements } from "./pictures.js";
import { Recording } from "./recording.js";
import { inWords } from "./words.js";

const RUN_MILLISECONDS = 350;
const POLICIES = { late: "late: as late as the rules allow", early: "early: at once" };

class Player {
  constructor(/** @type {HTMLElement} */ root, /** @type {any} */ all) {
    this.all = all;
    // A page of a finding begins with what is wrong.
    this.version = all.versions.wrong ? "wrong" : "right";
    this.policy = "late";
    this.at = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Record<string, any>} */
    this.parts = {};
    root.replaceChildren(this.controls(), ...this.panels());
    root.addEventListener("keydown", (event) => this.onKey(event));
    this.load();
  }

  part(/** @type {string} */ name, /** @type {string} */ tag = "div", /** @type {Record<string, string>} */ attributes = {}) {
    this.parts[name] = element(tag, { class: `stepping-${name}`, ...attributes });
    return this.parts[name];
  }

  controls() {
    const button = (
      /** @type {string} */ name,
      /** @type {Parameters<typeof sign>[0]} */ shows,
      /** @type {() => void} */ press,
    ) => {
      const attributes = { type: "button", "aria-label": name, title: name, "data-press": name };
      const made = element("button", attributes, sign(shows));
      made.addEventListener("click", press);
      return made;
    };
    const slider = this.part("slider", "input", { type: "range", min: "0", "aria-label": "step" });
    slider.addEventListener("input", () => this.goTo(Number(slider.value)));
    const policy = element("select", {}, ...Object.entries(POLICIES).map(([value, text]) => element("option", { value }, text)));
    policy.addEventListener("change", () => {
      this.policy = /** @type {HTMLSelectElement} */ (policy).value;
      this.load();
    });
    this.run = button("run", "forward", () => this.toggle());
    this.run.append(" run");
    return element(
      "div",
      { class: "stepping-controls" },
      element(
        "div",
        { class: "stepping-buttons" },
        button("to the start", "start", () => this.goTo(0)),
        button("to the event before", "eventBefore", () => this.goTo(this.recording.eventBefore(this.at))),
        button("step backward", "back", () => this.goTo(this.at - 1)),
        button("step forward", "forward", () => this.goTo(this.at + 1)),
        button("to the next event", "eventAfter", () => this.goTo(this.recording.eventAfter(this.at))),
        button("to the end", "end", () => this.goTo(this.recording.steps.length)),
        this.run,
        slider,
        this.part("count", "output"),
      ),
      element("label", { class: "stepping-policy" }, "timing of the TMA engine ", policy),
      this.choices(),
    );
  }

  /** What there is beside the right version. */
  choices() {
    return this.all.versions.wrong ? this.sides() : this.mistakes();
  }

  /** The two kernels of a finding's page. */
  sides() {
    const labels = ["wrong", "right"].map((name) => {
      const circle = /** @type {HTMLInputElement} */ (element("input", { type: "radio", name: "stepping-side", "data-version": name }));
      circle.checked = name === this.version;
      circle.addEventListener("change", () => {
        this.version = name;
        this.load();
      });
      return element("label", {}, circle, ` ${name}`);
    });
    const group = this.part("mistakes", "fieldset");
    group.append(element("legend", {}, "which kernel"), ...labels);
    return group;
  }

  /** A box for each version that lacks something: one at a time. */
  mistakes() {
    const boxes = Object.entries(this.all.versions).filter(([name]) => name !== "right");
    const labels = boxes.map(([name, { without }]) => {
      const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", "data-version": name }));
      box.addEventListener("change", () => {
        for (const other of this.parts.mistakes.querySelectorAll("input")) if (other !== box) other.checked = false;
        this.version = box.checked ? name : "right";
        this.load();
      });
      const lines = without.map((/** @type {number} */ number) => this.all.source[number - 1].trim()).join(" ");
      return element("label", {}, box, ` line${without.length > 1 ? "s" : ""} ${without.join(", ")} `, element("code", {}, lines));
    });
    const group = this.part("mistakes", "fieldset");
    group.append(element("legend", {}, "take away"), ...labels);
    return group;
  }

  panels() {
    const panel = (/** @type {string} */ title, /** @type {HTMLElement} */ content) =>
      element("section", { class: "stepping-panel" }, element("h2", { class: "stepping-title" }, title), content);
    return [
      this.part("words", "p", { role: "status" }),
      this.part("finding", "pre", { hidden: "" }),
      element(
        "div",
        { class: "stepping-columns" },
        panel("Warps at their lines", this.part("source", "div", { tabindex: "0", role: "group", "aria-label": "the kernel" })),
        element(
          "div",
          {},
          panel("mbarriers", this.part("mbarriers")),
          panel("The TMA engine", this.part("engine")),
        ),
      ),
      panel("Shared memory", this.part("memory")),
    ];
  }

  /** Takes up another recording, at its start. */
  load() {
    this.stop();
    const version = this.all.versions[this.version];
    this.recording = new Recording(version[this.policy]);
    this.without = version.without;
    this.parts.slider.max = String(this.recording.steps.length);
    this.goTo(0);
  }

  goTo(/** @type {number} */ step) {
    const { recording, parts } = this;
    const last = recording.steps.length;
    this.at = Math.max(0, Math.min(last, step));
    if (this.at === last) this.stop();
    const state = recording.stateAfter(this.at);
    const before = recording.stateAfter(Math.max(0, this.at - 1));
    const now = recording.steps[this.at - 1];
    parts.slider.value = String(this.at);
    parts.count.textContent = `${this.at} of ${last}`;
    parts.words.textContent = inWords(recording, now, before, state);
    parts.words.dataset.who = now ? (now.warp ? "warp" : "engine") : "";
    parts.source.replaceChildren(...sourceElements(this.all.versions[this.version].source ?? this.all.source, recording, state, now, this.without));
    parts.mbarriers.replaceChildren(...mbarrierElements(recording, state, before));
    parts.engine.replaceChildren(...engineElements(recording, state));
    parts.memory.replaceChildren(...memoryElements(recording, state, now));
    const isFound = state.findings.length > 0 || (this.at === last && recording.raw.said !== "");
    parts.finding.hidden = !isFound;
    parts.finding.textContent = isFound ? recording.raw.said.trim() : "";
  }

  toggle() {
    if (this.timer !== undefined) return this.stop();
    if (this.at === this.recording.steps.length) this.goTo(0);
    this.run.replaceChildren(sign("pause"), " pause");
    this.timer = setInterval(() => this.goTo(this.at + 1), RUN_MILLISECONDS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.run.replaceChildren(sign("forward"), " run");
  }

  onKey(/** @type {KeyboardEvent} */ event) {
    if (/** @type {HTMLElement} */ (event.target).matches("input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
    const { recording, at } = this;
    /** @type {Record<string, number>} */
    const targets = event.shiftKey
      ? { ArrowLeft: recording.eventBefore(at), ArrowRight: recording.eventAfter(at) }
      : { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: recording.steps.length };
    if (!(event.key in targets)) return;
    event.preventDefault();
    this.goTo(targets[event.key]);
  }
}

const root = /** @type {HTMLElement} */ (document.getElementById("stepping"));
// For those who ask the player in the browser's console, and for the tests.
Object.assign(globalThis, { steppingPlayer: new Player(root, globalThis.STEPPING_RECORDINGS) });
