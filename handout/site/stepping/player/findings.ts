// What the emulator has found, in its own words: each finding from the step on at which it was seen.

import { element } from "../../common/dom.ts";
import type { Finding, Piece, Step } from "./messages.ts";
import type { Recording } from "./recording.ts";

/** What a step of a recording says of a finding: its code, and the line. */
function keyOf({ code, place }: Finding) {
  const line = place && ("line" in place ? place.line : place.ptx_line);
  return `${code} ${line ?? 0}`;
}

/** The codes of findings, each once. */
export function codesOf(findings: Finding[]) {
  return [...new Set(findings.map(({ code }) => code))];
}

/** A piece of a text; the path of a page as a link to it. */
function pieceElement([style, words]: Piece, pages: string) {
  if (style !== "page") return words;
  const name = words.slice(words.lastIndexOf("/") + 1, words.lastIndexOf("."));
  return element("a", { href: `${pages}${name}.html` }, name);
}

/** A finding's text, with the page that explains it as a link. */
function findingElement({ text }: Finding, pages: string, isNew: boolean) {
  const lines = text.flatMap((line) => [...line.map((piece) => pieceElement(piece, pages)), "\n"]);
  return element("pre", { class: "stepping-found", ...(isNew ? { "data-new": "" } : {}) }, ...lines);
}

/**
 * The findings up to a step. Those that nobody has seen at a step, as where the launch does not even begin, come at the
 * end, and so does where a kernel was that had not ended in time.
 * @param at the state
 * @param pages where the pages of findings are
 */
export function findingElements(recording: Recording, at: number, pages: string) {
  const seen = (step: Step) => (step.findings ?? []).map((code, i) => `${code} ${step.found_at?.[i]}`);
  const known = new Set(recording.steps.slice(0, at).flatMap(seen));
  const now = new Set(at > 0 ? seen(recording.steps[at - 1]) : []);
  const isEnd = at === recording.steps.length;
  const found = recording.findings
    .filter((finding) => isEnd || known.has(keyOf(finding)))
    .map((finding) => findingElement(finding, pages, now.has(keyOf(finding))));
  if (isEnd && recording.stillRunning) found.push(element("pre", { class: "stepping-found" }, recording.stillRunning));
  return found;
}
