// A stepping page: runs the launches of one kernel with the emulator that the page brings, and steps through what it did.

import { element } from "../../common/dom.ts";
import { Emulator } from "./emulator.ts";
import { codesOf, findingElements } from "./findings.ts";
import { isTaken } from "./keys.ts";
import { memoryOf, ptxOf, sourceOf, withPtx } from "./launch_text.ts";
import { type Launches, launches } from "./messages.ts";
import { endInWords, outlookElements, type Result, resultElements, results } from "./outcome.ts";
import { makeParts, ptxPanel, statePanels } from "./parts.ts";
import {
  engineElements,
  idle,
  mbarrierElements,
  memoryElements,
  productElements,
  sourceElements,
  warpElements,
} from "./pictures.ts";
import { Recording, type State } from "./recording.ts";
import { sign } from "./signs.ts";
import { versionChoice } from "./versions.ts";
import { inWords } from "./words.ts";

const RUN_MILLISECONDS = 350;
const POLICIES = {
  late: "late: as late as the rules allow",
  early: "early: at once",
  random: "random, and warps in any order",
};

declare global {
  /** The launches of this page, and the compressed module in base64: from the scripts that stand before this one. */
  var STEPPING_LAUNCHES: unknown;
  var STEPPING_EMULATOR: string;
}

/** What a launch did. */
interface Run {
  recording: Recording | null;
  refused: string;
  memory: string[];
}

class Player {
  readonly all: Launches;
  readonly emulator: Emulator;
  /** Settles when the page shows what was asked for last. */
  ready: Promise<void>;
  private readonly root: HTMLElement;
  private readonly parts = makeParts();
  private version: string;
  private policy = "late";
  private seed = 1;
  /** What has run already. */
  private readonly runs = new Map<string, Run>();
  /** PTX that the reader has written, by version: what runs, and what stands there. */
  private readonly changed = new Map<string, string>();
  private readonly drafts = new Map<string, string>();
  /** What is shown: a recording at one of its states, the source, the lines that it lacks, and the result. */
  recording: Recording | undefined;
  at = 0;
  private source: string[] = [];
  private without: number[] = [];
  private arrays: Result[][] = [];
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(root: HTMLElement, all: Launches, emulator: Emulator) {
    this.root = root;
    this.all = all;
    this.emulator = emulator;
    // A page of a finding begins with what is wrong.
    this.version = all.versions.wrong ? "wrong" : "right";
    const { finding, own } = this.parts;
    const ptx = ptxPanel(this.parts, ...this.ptxButtons());
    const screen = element("div", { class: "stepping-screen" }, this.controls(), finding, own, statePanels(this.parts));
    root.replaceChildren(screen, ptx);
    document.addEventListener("keydown", (event) => this.onKey(event));
    this.ready = this.load();
  }

  controls() {
    const button = (
      name: string,
      shows: Parameters<typeof sign>[0],
      press: () => void,
    ) => {
      const attributes = { type: "button", "aria-label": name, title: name, "data-press": name };
      const made = element("button", attributes, sign(shows));
      made.addEventListener("click", press);
      return made;
    };
    const { parts } = this;
    parts.slider.addEventListener("input", () => this.goTo(Number(parts.slider.value)));
    parts.run.addEventListener("click", () => this.toggle());
    return element(
      "div",
      { class: "stepping-controls" },
      element(
        "div",
        { class: "stepping-buttons" },
        button("to the start", "start", () => this.goTo(0)),
        button("to the event before", "eventBefore", () => this.goTo(this.recording?.eventBefore(this.at) ?? 0)),
        button("step backward", "back", () => this.goTo(this.at - 1)),
        button("step forward", "forward", () => this.goTo(this.at + 1)),
        button("to the next event", "eventAfter", () => this.goTo(this.recording?.eventAfter(this.at) ?? 0)),
        button("to the end", "end", () => this.goTo(Infinity)),
        parts.run,
        parts.slider,
        parts.count,
      ),
      this.timingChoice(),
      versionChoice(this.all.versions, this.version, (name) => {
        this.version = name;
        this.ready = this.load();
      }),
      parts.outlook,
      parts.words,
    );
  }

  private timingChoice() {
    const options = Object.entries(POLICIES).map(([value, text]) => element("option", { value }, text));
    const policy = element("select", {}, ...options);
    policy.addEventListener("change", () => {
      this.policy = policy.value;
      this.parts.seed.hidden = this.policy !== "random";
      this.ready = this.load();
    });
    const attributes = { type: "number", min: "0", max: "999999", value: String(this.seed), "aria-label": "seed" };
    const number = element("input", attributes);
    number.addEventListener("change", () => {
      this.seed = Math.max(0, Math.trunc(Number(number.value)) || 0);
      number.value = String(this.seed);
      this.ready = this.load();
    });
    this.parts.seed.append("seed ", number);
    const label = element("label", {}, "timing of the TMA engine ", policy);
    return element("div", { class: "stepping-policy" }, label, " ", this.parts.seed);
  }

  /** What the reader does to the PTX. */
  private ptxButtons() {
    const { ptx } = this.parts;
    ptx.addEventListener("input", () => this.drafts.set(this.version, ptx.value));
    const press = (name: string, does: () => void) => {
      const made = element("button", { type: "button", "data-press": name }, name);
      made.addEventListener("click", () => {
        does();
        this.ready = this.load();
      });
      return made;
    };
    return [
      press("run this PTX", () => this.changed.set(this.version, ptx.value)),
      press("as it was compiled", () => {
        this.changed.delete(this.version);
        this.drafts.delete(this.version);
      }),
    ];
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
    this.parts.ptx.value = this.drafts.get(asked.version) ?? own ?? ptxOf(launch);
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
    this.showLarge(recording.hasLargeTiles());
    this.goTo(0);
  }

  /** What has become of the reader's own PTX: of a launch that does not run, nothing is left to look at. */
  sayOwn(isOwn: boolean, recording: Recording | null, why: string) {
    const { ran, own, refused } = this.parts;
    this.root.toggleAttribute("data-refused", !recording);
    refused.hidden = recording !== null;
    refused.textContent = recording ? "" : why.trim();
    const codes = codesOf(recording?.findings ?? []);
    const found = codes.length > 0 ? `finds ${codes.join(", ")}` : "finds nothing";
    const mistyped = codes.includes("not-modeled")
      ? " What it does not know may be a typing mistake, which ptxas would refuse."
      : "";
    const runs = recording
      ? `It runs: ${recording.steps.length} steps, and the emulator ${found}.`
      : "It does not run:";
    ran.textContent = isOwn ? runs + mistyped : "";
    own.hidden = !isOwn;
    own.textContent = recording
      ? "This is your PTX that runs; the source is that of the kernel before you changed it."
      : "Your PTX does not run; what is said of it stands below its text.";
  }

  /** A run, which is the same each time. */
  private async run(launch: string, timing: string): Promise<Run> {
    const key = `${timing}\n${launch}`;
    const known = this.runs.get(key);
    if (known) return known;
    const { recording, refused, memory, ...outcome } = await this.emulator.run(launch, timing);
    const done = { recording: recording && new Recording(recording, outcome), refused, memory };
    this.runs.set(key, done);
    return done;
  }

  goTo(step: number) {
    const { recording, parts } = this;
    if (!recording) return;
    const last = recording.steps.length;
    this.at = Math.max(0, Math.min(last, step));
    if (this.at === last) this.stop();
    const state = recording.stateAfter(this.at);
    const before = recording.stateAfter(Math.max(0, this.at - 1));
    const now = recording.steps[this.at - 1];
    parts.slider.value = String(this.at);
    parts.count.textContent = `${this.at} of ${last}`;
    const isEnd = this.at === last;
    parts.words.textContent = inWords(recording, now, before, state) +
      (isEnd ? ` ${endInWords(recording, this.arrays)}` : "");
    this.showOutlook(recording, state);
    parts.words.dataset.who = now ? ("warp" in now ? "warp" : "engine") : "";
    parts.source.replaceChildren(...sourceElements(this.source, recording, state, now, this.without));
    showLineOf(parts.source);
    parts.warps.replaceChildren(...warpElements(recording, state));
    parts.mbarriers.replaceChildren(...mbarrierElements(recording, state, before));
    parts.engine.replaceChildren(...engineElements(recording, state));
    parts.multiplies.hidden = !recording.multiplies;
    parts.products.replaceChildren(...productElements(recording, state));
    parts.memory.replaceChildren(...memoryElements(recording, state, now));
    parts.result.replaceChildren(...(isEnd ? resultElements(this.arrays) : [idle("shown when the kernel has ended")]));
    const findings = findingElements(recording, this.at, this.root.dataset.findings ?? "");
    parts.finding.hidden = findings.length === 0;
    parts.finding.replaceChildren(...findings);
    parts.prints.hidden = recording.printed === "";
    parts.printed.textContent = isEnd ? recording.printed : "shown when the kernel has ended";
  }

  /** Where tiles are large, what stands beside the source scrolls by itself, for which a keyboard has to reach it. */
  private showLarge(isLarge: boolean) {
    this.root.toggleAttribute("data-large", isLarge);
    for (const box of this.root.querySelectorAll<HTMLElement>(".stepping-state, .stepping-data")) {
      if (isLarge) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  }

  /** The buttons in it are others at each step: who has pressed one goes on from the one in its place. */
  private showOutlook(recording: Recording, state: State) {
    const { outlook } = this.parts;
    const pressed = document.activeElement as HTMLElement | null;
    const code = pressed && outlook.contains(pressed) ? pressed.dataset.found : undefined;
    outlook.replaceChildren(...outlookElements(recording, state, this.at, this.arrays, (step) => this.goTo(step)));
    if (code) outlook.querySelector<HTMLElement>(`[data-found="${code}"]`)?.focus({ preventScroll: true });
  }

  toggle() {
    if (this.timer !== undefined) return this.stop();
    if (this.at === this.recording?.steps.length) this.goTo(0);
    this.parts.run.replaceChildren(sign("pause"), " pause");
    this.timer = setInterval(() => this.goTo(this.at + 1), RUN_MILLISECONDS);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.parts.run.replaceChildren(sign("forward"), " run");
  }

  onKey(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (isTaken(target, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.recording || !this.hears(target, event.key)) return;
    const { recording, at } = this;
    const targets: Record<string, number> = event.shiftKey
      ? { ArrowLeft: recording.eventBefore(at), ArrowRight: recording.eventAfter(at) }
      : { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: recording.steps.length };
    if (!(event.key in targets)) return;
    event.preventDefault();
    this.goTo(targets[event.key]);
  }

  /** Whether a key is for the player: each within it; outside, the arrows to the sides while it is in sight. */
  hears(target: Element, key: string) {
    if (this.root.contains(target)) return true;
    const { top, bottom } = this.root.getBoundingClientRect();
    return key.startsWith("Arrow") && top < innerHeight && bottom > 0;
  }
}

/** Where not all lines are in sight, the step's own is, with some around it. */
function showLineOf(source: HTMLElement) {
  const line = source.querySelector<HTMLElement>("[data-now]");
  if (!line) return;
  const above = line.offsetTop - source.scrollTop;
  const around = 3 * line.offsetHeight;
  if (above < around || above > source.clientHeight - around) {
    source.scrollTop = line.offsetTop - source.clientHeight / 2;
  }
}

async function start() {
  const root = document.getElementById("stepping") as HTMLElement;
  const all = launches(globalThis.STEPPING_LAUNCHES, "STEPPING_LAUNCHES");
  const player = new Player(root, all, await Emulator.load(globalThis.STEPPING_EMULATOR));
  await player.ready;
  // For those who ask the player in the browser's console, and for the tests.
  Object.assign(globalThis, { steppingPlayer: player });
}

start().catch((error) => {
  const missing = document.querySelector(".stepping-missing");
  if (missing) missing.append(` It could not start in this browser: ${error}`);
});
