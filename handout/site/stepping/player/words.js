// What a step did, in a sentence or two.

import { mbarrierName, ranksOf } from "./pictures.js";

/** `before` and `after` are the states on both sides of the step. */
export function inWords(/** @type {any} */ recording, /** @type {any} */ step, /** @type {any} */ before, /** @type {any} */ after) {
  if (!step) return "Nothing has run yet. Step forward, or press the right arrow key.";
  const does = step.warp ? warpInWords(recording, step) : engineInWords(recording, step);
  const found = [...new Set(step.findings)].map((/** @type {string} */ code) => ` The emulator finds ${code}.`);
  return does + phasesInWords(recording, before, after) + found.join("");
}

/** The phases that the step has ended: what waits at these mbarriers may go on. */
function phasesInWords(/** @type {any} */ recording, /** @type {any} */ before, /** @type {any} */ after) {
  const ended = [...recording.mbarriers.values()].filter(
    (place) =>
      before.mbarriers.has(place.join()) && recording.mbarrierOf(before, place).phase !== recording.mbarrierOf(after, place).phase,
  );
  return ended
    .map((place) => ` ${mbarrierName(recording, place)}: the phase of parity ${recording.mbarrierOf(before, place).phase} is over.`)
    .join("");
}

function warpInWords(/** @type {any} */ recording, /** @type {any} */ step) {
  const [rank, index] = step.warp;
  const lanes = ranksOf(step.lanes & 0xffff).length + ranksOf(step.lanes >>> 16).length;
  const who = `Warp ${index}${recording.ctas > 1 ? ` of CTA ${rank}` : ""}, ${lanes} ${lanes === 1 ? "lane" : "lanes"}`;
  const issued = (step.bulks ?? []).find((/** @type {any} */ bulk) => bulk.issued !== undefined);
  const does = issued ? `issues ${issued.kind} ${issued.issued}` : step.sleeps ? "waits" : "runs";
  const again = step.polls ? `, and asks again ${step.polls === 1 ? "once" : `${step.polls} times`} while nothing changes` : "";
  return `${who}: ${does} at line ${step.line}${again}.`;
}

/** What it means that the engine has finished, by the kind of the operation. */
const ENDS = { load: "has landed", store: "has written its bytes to global memory" };

function engineInWords(/** @type {any} */ recording, /** @type {any} */ step) {
  const [moment] = step.bulks;
  const kind = recording.kindOf(moment.read ?? moment.finished);
  if (moment.read !== undefined) return `TMA engine: ${kind} ${moment.read}, from line ${step.line}, has read its source.`;
  return `TMA engine: ${kind} ${moment.finished}, from line ${step.line}, ${ENDS[/** @type {keyof typeof ENDS} */ (kind)] ?? "is done"}.`;
}
