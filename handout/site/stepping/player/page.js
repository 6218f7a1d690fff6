// A stepping page: runs the launches of one kernel with the emulator that the page brings, and steps through what it did.

import { element, sign } from "./dom.js";
import { Emulator, ptxOf, sourceOf, withPtx } from "./emulator.js";
import { engineElements, mbarrierElements, memoryElements, sourceElements } from "./pictures.js";
import { Recording } from "./recording.js";
import { inWords } from "./words.js";

const RUN_MILLISECONDS = 350;
const POLICIES = { late: "late: as late as the rules allow", early: "early: at once", random: "random, and warps in any order" };

class Player {
  constructor(/** @type {HTMLElement} */ root, /** @type {any} */ all, /** @type {Emulator} */ emulator) {
    this.all = all;
    this.emulator = emulator;
    // A page of a finding begins with what is wrong.
    this.version = all.versions.wrong ? "wrong" : "right";
    this.policy = "late";
    this.seed = 1;
    this.at = 0;
    /** @type {Map<string, string>} PTX that the reader has changed, by version */
    this.changed = new Map();
    /** The version whose PTX is shown. */
    this.shownPtx = "";
    /** @type {Map<string, {recording: Recording | null, said: string}>} what has run already */
    this.runs = new Map();
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Record<string, any>} */
    this.parts = {};
    root.replaceChildren(this.controls(), ...this.panels());
    root.addEventListener("keydown", (event) => this.onKey(event));
    /** Settles when the page shows what was asked for last. */
    this.ready = this.load();
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
      this.parts.seed.hidden = this.policy !== "random";
      this.ready = this.load();
    });
    const number = /** @type {HTMLInputElement} */ (element("input", { type: "number", min: "0", max: "999999", value: String(this.seed), "aria-label": "seed" }));
    number.addEventListener("change", () => {
      this.seed = Math.max(0, Math.trunc(Number(number.value)) || 0);
      number.value = String(this.seed);
      this.ready = this.load();
    });
    const seed = this.part("seed", "label", { hidden: "" });
    seed.append("seed ", number);
    this.runButton = button("run", "forward", () => this.toggle());
    this.runButton.append(" run");
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
        this.runButton,
        slider,
        this.part("count", "output"),
      ),
      element("div", { class: "stepping-policy" }, element("label", {}, "timing of the TMA engine ", policy), " ", seed),
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
        this.ready = this.load();
      });
      return element("label", {}, circle, ` ${name}`);
    });
    const group = this.part("mistakes", "fieldset");
    group.append(element("legend", {}, "which kernel"), ...labels);
    return group;
  }

  /** A box for each version that lacks something: one at a time. */
  mistakes() {
    const source = sourceOf(this.all.versions.right.launch);
    const boxes = Object.entries(this.all.versions).filter(([name]) => name !== "right");
    const labels = boxes.map(([name, { without }]) => {
      const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", "data-version": name }));
      box.addEventListener("change", () => {
        for (const other of this.parts.mistakes.querySelectorAll("input")) if (other !== box) other.checked = false;
        this.version = box.checked ? name : "right";
        this.ready = this.load();
      });
      const lines = without.map((/** @type {number} */ number) => source[number - 1].trim()).join(" ");
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
      this.ptx(),
    ];
  }

  /** What the kernel was compiled to, to be changed and run. */
  ptx() {
    const text = this.part("ptx-text", "textarea", { spellcheck: "false", rows: "24", "aria-label": "PTX" });
    const press = (/** @type {string} */ name, /** @type {() => void} */ does) => {
      const made = element("button", { type: "button", "data-press": name }, name);
      made.addEventListener("click", does);
      return made;
    };
    const runs = press("run this PTX", () => {
      this.changed.set(this.version, /** @type {HTMLTextAreaElement} */ (text).value);
      this.ready = this.load();
    });
    const again = press("as it was compiled", () => {
      this.changed.delete(this.version);
      this.shownPtx = "";
      this.ready = this.load();
    });
    return element(
      "details",
      { class: "stepping-ptx" },
      element("summary", {}, "The PTX that runs here, to be changed"),
      text,
      element("div", { class: "stepping-ptx-buttons" }, runs, again),
      this.part("refused", "pre", { hidden: "", role: "alert" }),
    );
  }

  /** The timing policy as tmaemu names it. */
  timing() {
    return this.policy === "random" ? `random:${this.seed}` : this.policy;
  }

  /** Runs what is asked for, and goes to its start. */
  async load() {
    this.stop();
    const asked = { version: this.version, timing: this.timing() };
    const { launch, without } = this.all.versions[asked.version];
    const ptx = this.changed.get(asked.version) ?? ptxOf(launch);
    // What the reader has written stays, until it is another version's turn.
    if (this.shownPtx !== asked.version) this.parts["ptx-text"].value = ptx;
    this.shownPtx = asked.version;
    const { recording, said } = await this.run(withPtx(launch, ptx), asked.timing);
    // The reader has gone on while it ran.
    if (asked.version !== this.version || asked.timing !== this.timing()) return;
    this.parts.refused.hidden = recording !== null;
    this.parts.refused.textContent = recording ? "" : said.trim();
    if (!recording) return;
    this.recording = recording;
    this.source = sourceOf(launch);
    this.without = without;
    this.parts.slider.max = String(recording.steps.length);
    this.goTo(0);
  }

  /** A run, which is the same each time. */
  async run(/** @type {string} */ launch, /** @type {string} */ timing) {
    const key = `${timing}\n${launch}`;
    const known = this.runs.get(key);
    if (known) return known;
    const { recording, said } = await this.emulator.run(launch, timing);
    const done = { recording: recording && new Recording({ ...recording, said }), said };
    this.runs.set(key, done);
    return done;
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
    parts.source.replaceChildren(...sourceElements(this.source, recording, state, now, this.without));
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
    this.runButton.replaceChildren(sign("pause"), " pause");
    this.timer = setInterval(() => this.goTo(this.at + 1), RUN_MILLISECONDS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.runButton.replaceChildren(sign("forward"), " run");
  }

  onKey(/** @type {KeyboardEvent} */ event) {
    if (/** @type {HTMLElement} */ (event.target).matches("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
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

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("stepping"));
  const player = new Player(root, globalThis.STEPPING_LAUNCHES, await Emulator.load(globalThis.STEPPING_EMULATOR));
  await player.ready;
  // For those who ask the player in the browser's console, and for the tests.
  Object.assign(globalThis, { steppingPlayer: player });
}

start().catch((error) => {
  const missing = document.querySelector(".stepping-missing");
  if (missing) missing.append(` It could not start in this browser: ${error}`);
});
