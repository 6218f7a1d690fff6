// What a step did, in a sentence or two.

import type { EngineStep, Issued, Step, WarpStep } from "./messages.ts";
import { mbarrierName, ranksOf } from "./pictures.ts";
import { productsInWords } from "./products.ts";
import type { Recording, State } from "./recording.ts";

/** `before` and `after` are the states on both sides of the step. */
export function inWords(recording: Recording, step: Step | undefined, before: State, after: State) {
  if (!step) return "Nothing has run yet. Step forward, or press the right arrow key.";
  const does = "warp" in step ? warpInWords(recording, step, after) : engineInWords(recording, step);
  const found = [...new Set(step.findings)].map((code) => ` The emulator finds ${code}.`);
  const products = productsInWords(step.products ?? [], recording.ctas);
  return does + products + phasesInWords(recording, before, after) + found.join("");
}

/** The phases that the step has ended: what waits at these mbarriers may go on. */
function phasesInWords(recording: Recording, before: State, after: State) {
  const ended = [...recording.mbarriers.values()].filter(
    (place) =>
      before.mbarriers.has(place.join()) &&
      recording.mbarrierOf(before, place).phase !== recording.mbarrierOf(after, place).phase,
  );
  return ended
    .map((place) =>
      ` ${mbarrierName(recording, place)}: the phase of parity ${recording.mbarrierOf(before, place).phase} is over.`
    )
    .join("");
}

function warpInWords(recording: Recording, step: WarpStep, after: State) {
  const [rank, index] = step.warp;
  const lanes = ranksOf(step.lanes & 0xffff).length + ranksOf(step.lanes >>> 16).length;
  const who = `Warp ${index}${recording.ctas > 1 ? ` of CTA ${rank}` : ""}, ${lanes} ${lanes === 1 ? "lane" : "lanes"}`;
  const issued = (step.bulks ?? []).find((moment) => "issued" in moment);
  const again = step.polls
    ? `, and asks again ${step.polls === 1 ? "once" : `${step.polls} times`} while nothing changes`
    : "";
  if (issued) return `${who}: issues ${issueInWords(recording, issued)} at line ${step.line}${again}.`;
  if (!step.sleeps) return `${who}: runs at line ${step.line}${again}.`;
  return `${who}: waits at line ${step.line}${awaitedInWords(recording, step, after)}${again}.`;
}

/** "load 2 into stage[bytes 0 to 127], on full[0]" */
function issueInWords(recording: Recording, bulk: Issued) {
  const tile = recording.rangeOf(bulk.shared[1], bulk.bytes);
  const way = bulk.kind === "load" ? "into" : "of";
  const completes = bulk.mbarrier ? `, on ${mbarrierName(recording, bulk.mbarrier)},` : "";
  return `${bulk.kind} ${bulk.issued} ${way} ${tile}${completes}`;
}

function awaitedInWords(recording: Recording, step: WarpStep, after: State) {
  if (step.groups) {
    const which = step.groups.but > 0 ? `all but the newest ${step.groups.but} of its bulk groups` : "its bulk groups";
    return ` until ${which} ${step.groups.read ? "have read their sources" : "are complete"}`;
  }
  if (!step.mbarrier || !after.mbarriers.has(step.mbarrier.join())) return "";
  const { phase } = recording.mbarrierOf(after, step.mbarrier);
  return ` for the phase of parity ${phase} of ${mbarrierName(recording, step.mbarrier)}`;
}

/** What it means that the engine has finished, by the kind of the operation. */
const ENDS: Partial<Record<Issued["kind"], string>> = {
  load: "has landed",
  store: "has written its bytes to global memory",
};

function engineInWords(recording: Recording, step: EngineStep) {
  const [moment] = step.bulks;
  const kind = recording.kindOf("read" in moment ? moment.read : moment.finished);
  if ("read" in moment) return `TMA engine: ${kind} ${moment.read}, from line ${step.line}, has read its source.`;
  const operation = `TMA engine: ${kind} ${moment.finished}, from line ${step.line},`;
  // Where it lands it changes its mbarrier at least.
  if (kind === "load" && !step.memory) {
    return `${operation} comes too late: its CTA has ended, and with it the shared memory.`;
  }
  return `${operation} ${ENDS[kind] ?? "is done"}.`;
}
