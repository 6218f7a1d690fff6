// A stepping page: runs the launches of one kernel with the emulator that the page brings, and steps through what it did.

import { element, sign } from "./dom.js";
import { Emulator, memoryOf, ptxOf, sourceOf, withPtx } from "./emulator.js";
import { codesOf, findingElements } from "./findings.js";
import { endInWords, resultElements, results } from "./outcome.js";
import { engineElements, idle, mbarrierElements, memoryElements, sourceElements } from "./pictures.js";
import { Recording } from "./recording.js";
import { inWords } from "./words.js";

const RUN_MILLISECONDS = 350;
const POLICIES = { late: "late: as late as the rules allow", early: "early: at once", random: "random, and warps in any order" };

class Player {
  constructor(/** @type {HTMLElement} */ root, /** @type {any} */ all, /** @type {Emulator} */ emulator) {
    this.root = root;
    this.all = all;
    this.emulator = emulator;
    // A page of a finding begins with what is wrong.
    this.version = all.versions.wrong ? "wrong" : "right";
    this.policy = "late";
    this.seed = 1;
    this.at = 0;
    /** @type {Map<string, string>} PTX that the reader has written, by version: what runs, and what stands there */
    this.changed = new Map();
    /** @type {Map<string, string>} */
    this.drafts = new Map();
    /** @type {Map<string, {recording: Recording | null, refused: string, memory: string[]}>} what has run already */
    this.runs = new Map();
    /** @type {ReturnType<typeof results>} */
    this.arrays = [];
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Record<string, any>} */
    this.parts = {};
    root.replaceChildren(this.controls(), ...this.panels());
    document.addEventListener("keydown", (event) => this.onKey(event));
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
      this.part("words", "p", { role: "status" }),
    );
  }

  /** What there is beside the right version. */
  choices() {
    return this.all.versions.wrong ? this.sides() : this.mistakes();
  }

  /** The two kernels of a finding's page. */
  sides() {
    return this.versions("which kernel", ["wrong", "right"].map((name) => [name, ` ${name}`]));
  }

  /** The right kernel, and each that lacks something. */
  mistakes() {
    const source = sourceOf(this.all.versions.right.launch);
    return this.versions(
      "take away",
      Object.entries(this.all.versions).map(([name, { without }]) => {
        if (name === "right") return [name, " nothing"];
        const lines = without.map((/** @type {number} */ number) => source[number - 1].trim()).join(" ");
        return [name, ` line${without.length > 1 ? "s" : ""} ${without.join(", ")} `, element("code", {}, lines)];
      }),
    );
  }

  /** A choice of one version; of each its name, and what stands beside the circle. */
  versions(/** @type {string} */ title, /** @type {[string, ...(Node | string)[]][]} */ choices) {
    const labels = choices.map(([name, ...content]) => {
      const circle = /** @type {HTMLInputElement} */ (element("input", { type: "radio", name: "stepping-version", "data-version": name }));
      circle.checked = name === this.version;
      circle.addEventListener("change", () => {
        this.version = name;
        this.ready = this.load();
      });
      return element("label", {}, circle, ...content);
    });
    const group = this.part("mistakes", "fieldset");
    group.append(element("legend", {}, title), ...labels);
    return group;
  }

  panels() {
    const panel = (/** @type {string} */ title, /** @type {HTMLElement} */ content) =>
      element("section", { class: "stepping-panel" }, element("h2", { class: "stepping-title" }, title), content);
    this.parts.prints = panel("What the kernel prints", this.part("printed", "pre"));
    return [
      this.part("finding", "div", { hidden: "" }),
      this.part("own", "p", { hidden: "" }),
      element(
        "div",
        { class: "stepping-columns" },
        panel("Warps at their lines", this.part("source", "div", { tabindex: "0", role: "group", "aria-label": "the kernel" })),
        element(
          "div",
          {},
          panel("mbarriers", this.part("mbarriers")),
          panel("The TMA engine", this.part("engine")),
          panel("Shared memory", this.part("memory")),
          panel("The result in global memory", this.part("result")),
          this.parts.prints,
        ),
      ),
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
    text.addEventListener("input", () => this.drafts.set(this.version, /** @type {HTMLTextAreaElement} */ (text).value));
    const runs = press("run this PTX", () => {
      this.changed.set(this.version, /** @type {HTMLTextAreaElement} */ (text).value);
      this.ready = this.load();
    });
    const again = press("as it was compiled", () => {
      this.changed.delete(this.version);
      this.drafts.delete(this.version);
      this.ready = this.load();
    });
    this.part("ran", "p", { role: "status" });
    return element(
      "details",
      { class: "stepping-ptx" },
      element("summary", {}, "The PTX that runs here, to be changed"),
      text,
      element("div", { class: "stepping-ptx-buttons" }, runs, again),
      this.parts.ran,
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
    const own = this.changed.get(asked.version);
    this.parts["ptx-text"].value = this.drafts.get(asked.version) ?? own ?? ptxOf(launch);
    const { recording, refused, memory } = await this.run(withPtx(launch, own ?? ptxOf(launch)), asked.timing);
    const right = await this.run(this.all.versions.right.launch, asked.timing);
    // The reader has gone on while it ran.
    if (asked.version !== this.version || asked.timing !== this.timing()) return;
    this.sayOwn(own !== undefined, recording, refused);
    if (!recording) return;
    this.recording = recording;
    this.source = sourceOf(launch);
    this.without = without;
    this.arrays = results(memoryOf(this.all.versions.right.launch), right.memory, memory);
    this.parts.slider.max = String(recording.steps.length);
    this.goTo(0);
  }

  /** What has become of the reader's own PTX: of a launch that does not run, nothing is left to look at. */
  sayOwn(/** @type {boolean} */ isOwn, /** @type {Recording | null} */ recording, /** @type {string} */ why) {
    const { ran, own, refused } = this.parts;
    this.root.toggleAttribute("data-refused", !recording);
    refused.hidden = recording !== null;
    refused.textContent = recording ? "" : why.trim();
    const codes = codesOf(recording?.findings ?? []);
    const found = codes.length > 0 ? `finds ${codes.join(", ")}` : "finds nothing";
    const mistyped = codes.includes("not-modeled") ? " What it does not know may be a typing mistake, which ptxas would refuse." : "";
    const runs = recording ? `It runs: ${recording.steps.length} steps, and the emulator ${found}.` : "It does not run:";
    ran.textContent = isOwn ? runs + mistyped : "";
    own.hidden = !isOwn;
    own.textContent = recording
      ? "This is your PTX that runs; the source is that of the kernel before you changed it."
      : "Your PTX does not run; what is said of it stands below its text.";
  }

  /** A run, which is the same each time. */
  async run(/** @type {string} */ launch, /** @type {string} */ timing) {
    const key = `${timing}\n${launch}`;
    const known = this.runs.get(key);
    if (known) return known;
    const { recording, refused, memory, ...outcome } = await this.emulator.run(launch, timing);
    const done = { recording: recording && new Recording(recording, outcome), refused, memory };
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
    const isEnd = this.at === last;
    parts.words.textContent = inWords(recording, now, before, state) + (isEnd ? ` ${endInWords(recording, this.arrays)}` : "");
    parts.words.dataset.who = now ? (now.warp ? "warp" : "engine") : "";
    parts.source.replaceChildren(...sourceElements(this.source, recording, state, now, this.without));
    parts.mbarriers.replaceChildren(...mbarrierElements(recording, state, before));
    parts.engine.replaceChildren(...engineElements(recording, state));
    parts.memory.replaceChildren(...memoryElements(recording, state, now));
    parts.result.replaceChildren(...(isEnd ? resultElements(this.arrays) : [idle("shown when the kernel has ended")]));
    const findings = findingElements(recording, this.at, this.root.dataset.findings ?? "");
    parts.finding.hidden = findings.length === 0;
    parts.finding.replaceChildren(...findings);
    parts.prints.hidden = !recording.printed;
    parts.printed.textContent = isEnd ? recording.printed : "shown when the kernel has ended";
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
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input, select, textarea") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.recording || !this.hears(target, event.key)) return;
    const { recording, at } = this;
    /** @type {Record<string, number>} */
    const targets = event.shiftKey
      ? { ArrowLeft: recording.eventBefore(at), ArrowRight: recording.eventAfter(at) }
      : { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: recording.steps.length };
    if (!(event.key in targets)) return;
    event.preventDefault();
    this.goTo(targets[event.key]);
  }

  /** Whether a key is for the player: each within it; outside, the arrows to the sides while it is in sight. */
  hears(/** @type {Element} */ target, /** @type {string} */ key) {
    if (this.root.contains(target)) return true;
    const { top, bottom } = this.root.getBoundingClientRect();
    return key.startsWith("Arrow") && top < innerHeight && bottom > 0;
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
