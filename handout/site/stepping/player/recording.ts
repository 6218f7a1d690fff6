// The state of a kernel at a step of its recording: what the emulator wrote down, applied step by step.

import type { Outcome } from "./emulator.ts";
import type { Finding, Issued, Place, RecordingMessage, Step, Variable } from "./messages.ts";
import { apply as applyProduct, type Product } from "./products.ts";

/** What is in shared memory before anything was written there. */
const UNKNOWN = -1;

const MOST_LEGIBLE_WORDS = 128;

/** The bits of an mbarrier, as the emulator packs them: grader/emulator/mbarrier/mbarrier.h. */
function unpackMbarrier(bits: bigint) {
  const field = (shift: bigint, width: number) => Number(BigInt.asUintN(width, bits >> shift));
  return {
    pending: field(0n, 20),
    expected: field(20n, 20),
    bytes: Number(BigInt.asIntN(21, bits >> 40n)),
    phase: field(61n, 1),
  };
}

/** Where a warp is. */
export interface WarpState {
  line: number;
  lanes: number;
  sleeps: boolean;
}

/** An operation in flight, and the line that issued it. */
export type Bulk = Issued & { line: number; isRead: boolean };

export interface State {
  /** By the CTA's rank: its shared memory as the generic proxy and as the async proxy see it. */
  memory: Int16Array[][];
  /** By rank and index. */
  warps: Map<string, WarpState>;
  /** In flight, by number. */
  bulks: Map<number, Bulk>;
  /** Issued, and not known to be done: by warpgroup and number. */
  products: Map<string, Product>;
  /** That are initialized. */
  mbarriers: Set<string>;
}

/** A part of the recording: one version of the kernel under one timing policy. */
export class Recording {
  readonly raw: RecordingMessage;
  readonly findings: Finding[];
  readonly printed: string;
  readonly stillRunning: string;
  readonly steps: Step[];
  readonly ctas: number;
  readonly warps: number;
  /** Rank and offset of each mbarrier that is ever initialized. */
  readonly mbarriers: Map<string, Place>;
  /** Numbers of the steps that are events, each as a state to go to. */
  readonly events: number[];
  /** Whether any warpgroup multiplies. */
  readonly multiplies: boolean;
  private readonly size: number;

  constructor(raw: RecordingMessage, outcome: Outcome) {
    this.raw = raw;
    this.findings = outcome.findings;
    this.printed = outcome.printed;
    this.stillRunning = outcome.stillRunning;
    this.steps = raw.steps;
    this.ctas = raw.cluster[0] * raw.cluster[1] * raw.cluster[2];
    this.warps = Math.ceil((raw.block[0] * raw.block[1] * raw.block[2]) / 32);
    const inits = this.steps.flatMap((step) => step.init ?? []);
    this.mbarriers = new Map(inits.map((place) => [place.join(), place]));
    this.events = this.steps.flatMap((step, index) => (this.isEvent(step) ? [index + 1] : []));
    this.multiplies = this.steps.some((step) => step.products);
    this.size = Math.max(0, ...raw.variables.map((one) => one.offset + one.bytes));
  }

  /** Whether the step is more than a warp that runs or waits: the engine or a tensor core has work or acts, an mbarrier or what is found changes. */
  private isEvent(step: Step) {
    const changesMbarrier = ([, rank, offset, text]: NonNullable<Step["memory"]>[number]) =>
      [...this.mbarriers.values()].some(([owner, at]) =>
        owner === rank && offset < at + 8 && at < offset + text.length / 2
      );
    return Boolean(step.bulks || step.products || step.init || step.findings || step.memory?.some(changesMbarrier));
  }

  /** The state after the next event, or the last one. */
  eventAfter(at: number) {
    return this.events.find((event) => event > at) ?? this.steps.length;
  }

  /** The state after the event before, or the first one. */
  eventBefore(at: number) {
    return this.events.findLast((event) => event < at) ?? 0;
  }

  /** The variables that hold no mbarrier. */
  tiles() {
    const offsets = [...this.mbarriers.values()].map(([, offset]) => offset);
    return this.raw.variables.filter((one) => !offsets.some((offset) => holds(one, offset)));
  }

  /** Whether a tile has too many words to be read one by one. */
  hasLargeTiles() {
    return this.tiles().some((tile) => tile.bytes > 4 * MOST_LEGIBLE_WORDS);
  }

  /** "full[1]": the name of an mbarrier. */
  nameOf(offset: number) {
    const owner = this.raw.variables.find((one) => holds(one, offset));
    if (!owner) return `shared memory, byte ${offset}`;
    return owner.bytes > 8 ? `${owner.name}[${(offset - owner.offset) / 8}]` : owner.name;
  }

  /** "stage[bytes 0 to 127]": the name of bytes in shared memory. */
  rangeOf(offset: number, bytes: number) {
    const owner = this.raw.variables.find((one) => holds(one, offset));
    if (!owner) return `shared memory[bytes ${offset} to ${offset + bytes - 1}]`;
    if (owner.offset === offset && owner.bytes <= bytes) return owner.name;
    return `${owner.name}[bytes ${offset - owner.offset} to ${offset - owner.offset + bytes - 1}]`;
  }

  /** "load": the kind of one of the engine's operations. */
  kindOf(id: number) {
    const moments = this.steps.flatMap((step) => step.bulks ?? []);
    const issue = moments.find((moment) => "issued" in moment && moment.issued === id) as Issued | undefined;
    if (!issue) throw new Error(`the recording has no operation ${id}`);
    return issue.kind;
  }

  /** Everything as it is when the first `count` steps are done. */
  stateAfter(count: number) {
    const views = () => [0, 1].map(() => new Int16Array(this.size).fill(UNKNOWN));
    const state: State = {
      memory: Array.from({ length: this.ctas }, views),
      warps: new Map(),
      bulks: new Map(),
      products: new Map(),
      mbarriers: new Set(),
    };
    for (const step of this.steps.slice(0, count)) apply(step, state, this.size);
    return state;
  }

  /** What an mbarrier holds, from the bytes of shared memory. */
  mbarrierOf(state: State, [rank, offset]: Place) {
    const bytes = state.memory[rank][0].slice(offset, offset + 8);
    let bits = 0n;
    for (let i = 7; i >= 0; i--) bits = (bits << 8n) | BigInt(Math.max(bytes[i], 0));
    return unpackMbarrier(bits);
  }
}

function apply(step: Step, state: State, size: number) {
  if ("warp" in step) {
    state.warps.set(step.warp.join(), { line: step.line, lanes: step.lanes, sleeps: Boolean(step.sleeps) });
  }
  for (const place of step.init ?? []) state.mbarriers.add(place.join());
  for (const moment of step.bulks ?? []) {
    if ("issued" in moment) {
      state.bulks.set(moment.issued, { ...moment, line: step.line, isRead: false });
    } else if ("finished" in moment) {
      state.bulks.delete(moment.finished);
    } else {
      const bulk = state.bulks.get(moment.read);
      if (bulk) bulk.isRead = true;
    }
  }
  for (const moment of step.products ?? []) applyProduct(moment, step.line, state.products);
  for (const [view, rank, offset, text] of step.memory ?? []) {
    for (let i = 0; i < text.length / 2 && offset + i < size; i++) {
      state.memory[rank][view][offset + i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
    }
  }
}

function holds(variable: Variable, offset: number) {
  return offset >= variable.offset && offset < variable.offset + variable.bytes;
}

/** The four bytes of a word, or null where one of them was never written. */
export function wordAt(view: Int16Array, offset: number) {
  const bytes = view.slice(offset, offset + 4);
  if (bytes.every((byte) => byte === UNKNOWN)) return null;
  return bytes.reduceRight((word, byte) => word * 256 + Math.max(byte, 0), 0);
}
