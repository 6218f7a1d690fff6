/// <reference lib="deno.ns" />
// A recording is applied step by step, and what lies in shared memory has a name.

import assert from "node:assert/strict";
import type { RecordingMessage, Step } from "../../../../handout/site/stepping/player/messages.ts";
import { Recording, wordAt } from "../../../../handout/site/stepping/player/recording.ts";

const PHASE_1 = "0100100000000020"; // of one arrival, which is pending

const STEPS: Step[] = [
  { warp: [0, 0], line: 3, lanes: 1, init: [[0, 64]], memory: [[0, 0, 64, "0100100000000000"]] },
  {
    warp: [0, 0],
    line: 4,
    lanes: 1,
    bulks: [{ issued: 0, kind: "load", shared: [0, 0], bytes: 8, mbarrier: [0, 64] }],
  },
  { warp: [0, 1], line: 9, lanes: 0xffffffff, sleeps: 1, mbarrier: [0, 64] },
  { line: 4, bulks: [{ finished: 0 }], memory: [[1, 0, 0, "0102030405060708"], [0, 0, 64, PHASE_1]] },
];

const MESSAGE: RecordingMessage = {
  tmaemu_recording: 1,
  kernel: "kernel",
  grid: [1, 1, 1],
  block: [33, 1, 1],
  cluster: [1, 1, 1],
  variables: [{ name: "tile", offset: 0, bytes: 64 }, { name: "full", offset: 64, bytes: 16 }],
  steps: STEPS,
};

const recording = new Recording(MESSAGE, { findings: [], printed: "", stillRunning: "" });

Deno.test("an operation is in flight from its issue until it is finished", () => {
  const inFlight = STEPS.map((_, i) => [...recording.stateAfter(i + 1).bulks.keys()]);
  assert.deepEqual(inFlight, [[], [0], [0], []]);
  assert.equal(recording.kindOf(0), "load");
});

Deno.test("an mbarrier holds what its bytes say", () => {
  assert.deepEqual(recording.mbarrierOf(recording.stateAfter(1), [0, 64]), {
    pending: 1,
    expected: 1,
    bytes: 0,
    phase: 0,
  });
  assert.equal(recording.mbarrierOf(recording.stateAfter(4), [0, 64]).phase, 1);
});

Deno.test("a word is unknown until one of its bytes was written, in the view that has it", () => {
  const [generic, async] = recording.stateAfter(4).memory[0];
  assert.equal(wordAt(generic, 0), null);
  assert.equal(wordAt(async, 4), 0x08070605);
});

Deno.test("a warp is where it was last", () => {
  const { warps } = recording.stateAfter(4);
  assert.deepEqual(warps.get("0,0"), { line: 4, lanes: 1, sleeps: false });
  assert.deepEqual(warps.get("0,1"), { line: 9, lanes: 0xffffffff, sleeps: true });
  assert.equal(recording.warps, 2);
});

Deno.test("a warp that only waits is no event", () => {
  assert.deepEqual(recording.events, [1, 2, 4]);
  assert.deepEqual([recording.eventAfter(2), recording.eventAfter(4)], [4, 4]);
  assert.deepEqual([recording.eventBefore(4), recording.eventBefore(1)], [2, 0]);
});

Deno.test("bytes are named by their variable, and those of none by their offset", () => {
  assert.equal(recording.rangeOf(0, 64), "tile");
  assert.equal(recording.rangeOf(8, 16), "tile[bytes 8 to 23]");
  assert.equal(recording.rangeOf(80, 4), "shared memory[bytes 80 to 83]");
  assert.equal(recording.nameOf(72), "full[1]");
  assert.deepEqual(recording.tiles().map(({ name }) => name), ["tile"]);
});
