// What is in global memory when a kernel has ended, beside what the right kernel leaves there.

import { element } from "../../common/dom.ts";
import { codesOf } from "./findings.ts";
import { colorOf, idle, rows, wordInDigits } from "./pictures.ts";
import type { Recording } from "./recording.ts";

/** A word of global memory, and what the right kernel leaves there. */
export interface Result {
  word: number;
  right: number;
}

const MOST_WORDS = 128;

/** The 32-bit words of bytes in hexadecimal. */
function wordsOf(text: string) {
  const bytes = Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => view.getUint32(4 * i, true));
}

/**
 * The arrays that the right kernel changes, word by word.
 * @param before what the allocations hold before the launch, in hexadecimal
 * @param right what the right kernel leaves there
 * @param now what this one has left
 */
export function results(before: string[], right: string[], now: string[]): Result[][] {
  return right.flatMap((text, i) => {
    if (text === before[i]) return [];
    const expected = wordsOf(text);
    return [wordsOf(now[i]).map((word, at) => ({ word, right: expected[at] }))];
  });
}

/** How a launch has ended, in a sentence. */
export function endInWords(recording: Recording, arrays: Result[][]) {
  const codes = codesOf(recording.findings);
  if (recording.raw.cut) return "There are more steps than this page shows.";
  if (recording.stillRunning) return "The kernel was still running when its time was over.";
  if (codes.includes("deadlock")) return "Nothing can go on from here: the kernel never ends.";
  const words = arrays.flat();
  const wrong = words.filter(({ word, right }) => word !== right).length;
  if (wrong > 0) return `The kernel has ended, and ${wrong} of the ${words.length} words of its result are wrong.`;
  if (codes.length > 0) return "The kernel has ended, and its result is right this time.";
  return "The kernel has ended: its result is right, and nothing was found.";
}

/** Each code that is found, and the step at which it is first seen; of what nobody sees at a step, the end. */
export function firstSeen(recording: Pick<Recording, "findings" | "steps">): [code: string, step: number][] {
  const { findings, steps } = recording;
  return codesOf(findings).map((code) => {
    const index = steps.findIndex((step) => step.findings?.includes(code));
    return [code, index === -1 ? steps.length : index + 1];
  });
}

/**
 * What a launch comes to, said before it is stepped through: what is found, each with a button that goes to its step,
 * and how it ends.
 */
export function outlookElements(recording: Recording, arrays: Result[][], goTo: (step: number) => void) {
  const found = firstSeen(recording).flatMap(([code, step], index) => {
    const label = `${code} at step ${step}`;
    const button = element("button", { type: "button", "data-found": code, title: `go to step ${step}` }, label);
    button.addEventListener("click", () => goTo(step));
    return [index === 0 ? "the emulator finds " : ", ", button];
  });
  return ["In short: ", ...found, `${found.length > 0 ? ". " : ""}${endInWords(recording, arrays)}`];
}

/** The result, with words that are wrong marked. */
export function resultElements(arrays: Result[][]) {
  return arrays.map((words) => {
    const cells = words.slice(0, MOST_WORDS).map(({ word, right }) => {
      const shown = wordInDigits(word);
      if (word === right) return element("span", { class: "stepping-cell", style: colorOf(word) }, shown);
      return element(
        "span",
        { class: "stepping-cell", "data-wrong": "", title: `right: ${wordInDigits(right)}` },
        shown,
      );
    });
    return element(
      "div",
      {},
      rows(cells),
      ...(words.length > MOST_WORDS ? [idle(`and ${words.length - MOST_WORDS} more`)] : []),
    );
  });
}
