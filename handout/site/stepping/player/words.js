// What a step did, in a sentence.

import { ranksOf } from "./pictures.js";

export function inWords(/** @type {any} */ recording, /** @type {any} */ step) {
  if (!step) return "Nothing has run yet. Step forward, or press the right arrow key.";
  const does = step.warp ? warpInWords(recording, step) : engineInWords(step);
  return does + [...new Set(step.findings)].map((/** @type {string} */ code) => ` The emulator finds ${code}.`).join("");
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

function engineInWords(/** @type {any} */ step) {
  const [moment] = step.bulks;
  if (moment.read !== undefined) return `TMA engine: has read the source of operation ${moment.read}, from line ${step.line}.`;
  return `TMA engine: operation ${moment.finished}, from line ${step.line}, is done.`;
}
