// What the emulator has found, in its own words: each finding from the step on at which it was seen.

import { element } from "./dom.js";

/**
 * A finding as handout/reference/grades.schema.json describes it; of its members, those that are shown here. Its text has
 * lines, and a line has pieces: a style, and words.
 * @typedef {{code: string, place: {line?: number, ptx_line?: number}, text: [string, string][][]}} Finding
 */

/** What a step of a recording says of a finding: its code, and the line. */
function keyOf(/** @type {Finding} */ { code, place }) {
  return `${code} ${place.line ?? place.ptx_line}`;
}

/** The codes of findings, each once. */
export function codesOf(/** @type {Finding[]} */ findings) {
  return [...new Set(findings.map(({ code }) => code))];
}

/** A piece of a text; the path of a page as a link to it. */
function piece(/** @type {[string, string]} */ [style, words], /** @type {string} */ pages) {
  if (style !== "page") return words;
  const name = words.slice(words.lastIndexOf("/") + 1, words.lastIndexOf("."));
  return element("a", { href: `${pages}${name}.html` }, name);
}

/** A finding's text, with the page that explains it as a link. */
function findingElement(/** @type {Finding} */ { text }, /** @type {string} */ pages, /** @type {boolean} */ isNew) {
  const lines = text.flatMap((line) => [...line.map((one) => piece(one, pages)), "\n"]);
  return element("pre", { class: "stepping-found", ...(isNew ? { "data-new": "" } : {}) }, ...lines);
}

/**
 * The findings up to a step. Those that nobody has seen at a step, as where the launch does not even begin, come at the
 * end, and so does where a kernel was that had not ended in time.
 * @param {any} recording
 * @param {number} at the state
 * @param {string} pages where the pages of findings are
 */
export function findingElements(recording, at, pages) {
  const seen = (/** @type {any} */ step) =>
    (step.findings ?? []).map((/** @type {string} */ code, /** @type {number} */ i) => `${code} ${step.found_at[i]}`);
  const known = new Set(recording.steps.slice(0, at).flatMap(seen));
  const now = new Set(at > 0 ? seen(recording.steps[at - 1]) : []);
  const isEnd = at === recording.steps.length;
  const found = recording.findings
    .filter((/** @type {Finding} */ finding) => isEnd || known.has(keyOf(finding)))
    .map((/** @type {Finding} */ finding) => findingElement(finding, pages, now.has(keyOf(finding))));
  if (isEnd && recording.stillRunning) found.push(element("pre", { class: "stepping-found" }, recording.stillRunning));
  return found;
}
