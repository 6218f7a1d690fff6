// The state of a kernel at a step of its recording: what the emulator wrote down, applied step by step.

/** What is in shared memory before anything was written there. */
const UNKNOWN = -1;

/** The bits of an mbarrier, as the emulator packs them: grader/emulator/mbarrier/mbarrier.h. */
function unpackMbarrier(/** @type {bigint} */ bits) {
  const field = (/** @type {bigint} */ shift, /** @type {number} */ width) => Number(BigInt.asUintN(width, bits >> shift));
  return {
    pending: field(0n, 20),
    expected: field(20n, 20),
    bytes: Number(BigInt.asIntN(21, bits >> 40n)),
    phase: field(61n, 1),
  };
}

/** A part of the recording: one version of the kernel under one timing policy. */
export class Recording {
  /** `outcome`: what has come of the launch. */
  constructor(
    /** @type {any} */ raw,
    /** @type {{findings: import("./findings.js").Finding[], printed: string, stillRunning: string}} */ outcome,
  ) {
    this.raw = raw;
    this.findings = outcome.findings;
    this.printed = outcome.printed;
    this.stillRunning = outcome.stillRunning;
    this.steps = raw.steps;
    this.ctas = raw.cluster[0] * raw.cluster[1] * raw.cluster[2];
    this.warps = Math.ceil((raw.block[0] * raw.block[1] * raw.block[2]) / 32);
    const inits = this.steps.flatMap((/** @type {any} */ step) => step.init ?? []);
    /** @type {Map<string, number[]>} rank and offset of each mbarrier that is ever initialized */
    this.mbarriers = new Map(inits.map((/** @type {number[]} */ place) => [place.join(), place]));
    /** Numbers of the steps that are events, each as a state to go to. */
    this.events = this.steps.flatMap((/** @type {any} */ step, /** @type {number} */ index) => (this.isEvent(step) ? [index + 1] : []));
    this.size = Math.max(0, ...raw.variables.map((/** @type {any} */ one) => one.offset + one.bytes));
  }

  /** Whether the step is more than a warp that runs or waits: the engine has work or acts, an mbarrier or what is found changes. */
  isEvent(/** @type {any} */ step) {
    const changesMbarrier = (/** @type {any[]} */ [, rank, offset, text]) =>
      [...this.mbarriers.values()].some(([owner, at]) => owner === rank && offset < at + 8 && at < offset + text.length / 2);
    return Boolean(step.bulks || step.init || step.findings || step.memory?.some(changesMbarrier));
  }

  /** The state after the next event, or the last one. */
  eventAfter(/** @type {number} */ at) {
    return this.events.find((/** @type {number} */ event) => event > at) ?? this.steps.length;
  }

  /** The state after the event before, or the first one. */
  eventBefore(/** @type {number} */ at) {
    return this.events.findLast((/** @type {number} */ event) => event < at) ?? 0;
  }

  /** The variables that hold no mbarrier. */
  tiles() {
    const offsets = [...this.mbarriers.values()].map(([, offset]) => offset);
    return this.raw.variables.filter(
      (/** @type {any} */ one) => !offsets.some((offset) => offset >= one.offset && offset < one.offset + one.bytes),
    );
  }

  /** "full[1]": the name of an mbarrier. */
  nameOf(/** @type {number} */ offset) {
    const owner = this.raw.variables.find(
      (/** @type {any} */ one) => offset >= one.offset && offset < one.offset + one.bytes,
    );
    if (!owner) return `shared memory, byte ${offset}`;
    return owner.bytes > 8 ? `${owner.name}[${(offset - owner.offset) / 8}]` : owner.name;
  }

  /** "stage[bytes 0 to 127]": the name of bytes in shared memory. */
  rangeOf(/** @type {number} */ offset, /** @type {number} */ bytes) {
    const owner = this.raw.variables.find(
      (/** @type {any} */ one) => offset >= one.offset && offset < one.offset + one.bytes,
    );
    if (!owner) return `shared memory[bytes ${offset} to ${offset + bytes - 1}]`;
    if (owner.offset === offset && owner.bytes <= bytes) return owner.name;
    return `${owner.name}[bytes ${offset - owner.offset} to ${offset - owner.offset + bytes - 1}]`;
  }

  /** "load": the kind of one of the engine's operations. */
  kindOf(/** @type {number} */ id) {
    const moments = this.steps.flatMap((/** @type {any} */ step) => step.bulks ?? []);
    return moments.find((/** @type {any} */ moment) => moment.issued === id).kind;
  }

  /** Everything as it is when the first `count` steps are done. */
  stateAfter(/** @type {number} */ count) {
    const views = () => [0, 1].map(() => new Int16Array(this.size).fill(UNKNOWN));
    const state = {
      memory: Array.from({ length: this.ctas }, views),
      /** @type {Map<string, any>} by rank and index */
      warps: new Map(),
      /** @type {Map<number, any>} in flight, by id */
      bulks: new Map(),
      /** @type {Set<string>} initialized */
      mbarriers: new Set(),
    };
    for (const step of this.steps.slice(0, count)) apply(step, state, this.size);
    return state;
  }

  /** What an mbarrier holds, from the bytes of shared memory. */
  mbarrierOf(/** @type {any} */ state, /** @type {number[]} */ [rank, offset]) {
    const bytes = state.memory[rank][0].slice(offset, offset + 8);
    let bits = 0n;
    for (let i = 7; i >= 0; i--) bits = (bits << 8n) | BigInt(Math.max(bytes[i], 0));
    return unpackMbarrier(bits);
  }
}

function apply(/** @type {any} */ step, /** @type {any} */ state, /** @type {number} */ size) {
  if (step.warp) state.warps.set(step.warp.join(), { line: step.line, lanes: step.lanes, sleeps: Boolean(step.sleeps) });
  for (const place of step.init ?? []) state.mbarriers.add(place.join());
  for (const moment of step.bulks ?? []) {
    if (moment.issued !== undefined) state.bulks.set(moment.issued, { ...moment, line: step.line });
    if (moment.read !== undefined && state.bulks.has(moment.read)) state.bulks.get(moment.read).isRead = true;
    if (moment.finished !== undefined) state.bulks.delete(moment.finished);
  }
  for (const [view, rank, offset, text] of step.memory ?? []) {
    for (let i = 0; i < text.length / 2 && offset + i < size; i++) {
      state.memory[rank][view][offset + i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
    }
  }
}

/** The four bytes of a word, or null where one of them was never written. */
export function wordAt(/** @type {Int16Array} */ view, /** @type {number} */ offset) {
  const bytes = view.slice(offset, offset + 4);
  if (bytes.every((byte) => byte === UNKNOWN)) return null;
  return bytes.reduceRight((word, byte) => word * 256 + Math.max(byte, 0), 0);
}
