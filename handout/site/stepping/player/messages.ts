// What the page and the emulator's module say to one another. A launch goes in as a text, whose form
// grader/emulator/record/launch_text.h describes. Two lines of JSON come out: a recording, written by
// grader/emulator/record/json.cpp, and what has come of the launch, by grader/emulator/browser/run_launch.cpp. A test
// holds both to the shapes here (grader/tests/python/test_site_modules.py).

import {
  either,
  headed,
  list,
  number,
  object,
  objectWith,
  type Of,
  one,
  perhaps,
  record,
  text,
  tuple,
} from "../../common/shape.ts";

/** The launches of a page, by the names of the kernel's versions, and the lines that a version lacks. */
export const launches = object({ versions: record(object({ without: list(number), launch: text })) });

/** A CTA by its rank in the cluster, and an offset in its shared memory. */
const place = tuple<[rank: number, offset: number]>(number, number);
const warp = tuple<[rank: number, index: number]>(number, number);
const extent = tuple<[x: number, y: number, z: number]>(number, number, number);

const variable = object({ name: text, offset: number, bytes: number });

/** New bytes of shared memory, in hexadecimal, as the generic proxy (0) or the async proxy (1) sees them. */
const change = tuple<[view: 0 | 1, rank: number, offset: number, bytes: string]>(one(0, 1), number, number, text);

/** An operation of the TMA engine when it is issued; `multicast` is a mask of CTAs, `swizzle` is in bytes. */
const issued = object(
  {
    issued: number,
    kind: one("load", "store", "reduce", "copy to a CTA", "reduce to a CTA"),
    shared: place,
    bytes: number,
  },
  { mbarrier: place, multicast: number, swizzle: number },
);
/** What became of an operation later, by its number: its source is read, or all is done. */
const later = either(object({ read: number }), object({ finished: number }));
const moment = either(issued, later);

/**
 * What happens to the wgmma with a number, of the warpgroup whose first warp is named. `a` and `b` are where its matrices
 * begin; without `a`, A is in registers. What is committed, and what is done, are all up to that number.
 */
const product = either(
  either(object({ issued: number, warps: warp, b: place }, { a: place }), object({ multiplied: number, warps: warp })),
  either(object({ committed: number, warps: warp }), object({ done: number, warps: warp })),
);

/** What a step may change: mbarriers that are initialized, shared memory, what is found and where. */
const changes = {
  init: list(place),
  memory: list(change),
  products: list(product),
  findings: list(text),
  found_at: list(number),
};

/** What a warp does at one line. Where it sleeps, it may wait for a phase of an mbarrier or for its bulk groups. */
const warpStep = object(
  { warp, line: number, lanes: number },
  {
    sleeps: one(1),
    mbarrier: place,
    groups: object({ but: number }, { read: one(1) }),
    polls: number,
    bulks: list(moment),
    ...changes,
  },
);
/**
 * One action of the TMA engine; the line is the one that issued the operation. Behind the action stands what a warp has
 * issued before its own next step begins.
 */
const engineStep = object({ line: number, bulks: headed(later, moment) }, changes);

export const recording = object(
  {
    tmaemu_recording: one(1),
    kernel: text,
    grid: extent,
    block: extent,
    cluster: extent,
    variables: list(variable),
    steps: list(either(warpStep, engineStep)),
  },
  { cut: one(true) },
);

/** A piece of a line: its style, and words; those of "page" are the path of a page of the handout. */
const style = one("plain", "strong", "error", "warning", "note", "help", "caret", "page");
const piece = tuple<[style: Of<typeof style>, words: string]>(style, text);

/** A finding, of whose members handout/reference/grades.schema.json describes all; here are those that a page shows. */
const finding = objectWith({
  code: text,
  place: perhaps(either(objectWith({ line: number }), objectWith({ ptx_line: number }))),
  text: list(list(piece)),
});

/**
 * What has come of a launch: what was found, what the kernel has printed, where it was when its time was over, and what
 * each of the launch's allocations holds when it has ended, in hexadecimal.
 */
export const outcome = object({ findings: list(finding), memory: list(text) }, { printed: text, still_running: text });

/** A line of the module's standard output. */
export const line = either(recording, outcome);

export type Launches = Of<typeof launches>;
export type Place = Of<typeof place>;
export type Variable = Of<typeof variable>;
export type Issued = Of<typeof issued>;
export type ProductMoment = Of<typeof product>;
export type WarpStep = Of<typeof warpStep>;
export type EngineStep = Of<typeof engineStep>;
export type Step = WarpStep | EngineStep;
export type RecordingMessage = Of<typeof recording>;
export type Finding = Of<typeof finding>;
export type Piece = Of<typeof piece>;
