// What the emulator has found, in its own words: each finding from the step on at which it was seen.

import { element } from "../../common/dom.ts";
import type { Step } from "./messages.ts";
import type { Recording } from "./recording.ts";

export interface Finding {
  code: string;
  line: number;
  text: string;
}

const HEADLINE = /^(.*): error: .*\[([a-z-]+)\]$/;
const TIMES = /: note: \[[a-z-]+\] was found \d+ times$/;
const PAGE = /^read: handout\/findings\/([a-z-]+)\.md$/;

/** What was said, finding by finding, in the order in which it was said: causes come first. */
export function findingsIn(said: string): Finding[] {
  const findings: Finding[] = [];
  let isOpen = false;
  for (const line of said.split("\n")) {
    const headline = HEADLINE.exec(line);
    if (headline) {
      const place = /:(\d+):\d+$/.exec(headline[1]);
      findings.push({ code: headline[2], line: place ? Number(place[1]) : 0, text: line });
    } else if (line === "" || TIMES.test(line)) {
      continue;
    } else if (isOpen) {
      findings[findings.length - 1].text += `\n${line}`;
    } else {
      findings.push({ code: "", line: 0, text: line }); // as of a kernel that is still running
    }
    isOpen = !PAGE.test(line);
  }
  return findings;
}

/** A finding's text, with the page that explains it as a link. */
function findingElement(finding: Finding, pages: string, isNew: boolean) {
  const lines = finding.text.split("\n").flatMap((line) => {
    const page = PAGE.exec(line);
    return page ? ["read: ", element("a", { href: `${pages}${page[1]}.html` }, page[1]), "\n"] : [`${line}\n`];
  });
  return element("pre", { class: "stepping-found", ...(isNew ? { "data-new": "" } : {}) }, ...lines);
}

/**
 * The findings up to a step. Those that nobody has seen at a step, as where the launch does not even begin, come at the end.
 * @param at the state
 * @param pages where the pages of findings are
 */
export function findingElements(recording: Recording, at: number, pages: string) {
  const seen = (step: Step) => (step.findings ?? []).map((code, i) => `${code} ${step.found_at?.[i]}`);
  const known = new Set(recording.steps.slice(0, at).flatMap(seen));
  const now = new Set(at > 0 ? seen(recording.steps[at - 1]) : []);
  const isEnd = at === recording.steps.length;
  return recording.found
    .filter(({ code, line }) => isEnd || known.has(`${code} ${line}`))
    .map((finding) => findingElement(finding, pages, now.has(`${finding.code} ${finding.line}`)));
}
