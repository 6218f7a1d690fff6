// What is in global memory when a kernel has ended, beside what the right kernel leaves there.

import { element } from "../../common/dom.ts";
import { codesOf } from "./findings.ts";
import { colorOf, idle, rows, wordInDigits } from "./pictures.ts";
import type { Recording, State } from "./recording.ts";

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

function wrongWords(arrays: Result[][]) {
  const words = arrays.flat();
  return { all: words.length, wrong: words.filter(({ word, right }) => word !== right).length };
}

/** How a launch has ended, in a sentence. */
export function endInWords(recording: Recording, arrays: Result[][]) {
  const codes = codesOf(recording.findings);
  if (recording.raw.cut) return "There are more steps than this page shows.";
  if (recording.stillRunning) return "The kernel was still running when its time was over.";
  if (codes.includes("deadlock")) return "Nothing can go on from here: the kernel never ends.";
  const { all, wrong } = wrongWords(arrays);
  if (wrong > 0) return `The kernel has ended, and ${wrong} of the ${all} words of its result are wrong.`;
  if (codes.length > 0) return "The kernel has ended, and its result is right this time.";
  return "The kernel has ended: its result is right, and nothing was found.";
}

/** The same, said of a step before the end. */
function comingInWords(recording: Recording, arrays: Result[][]) {
  const codes = codesOf(recording.findings);
  if (recording.raw.cut) return "There are more steps than this page shows.";
  if (recording.stillRunning) return "It will still be running when its time is over.";
  if (codes.includes("deadlock")) return "It will never end.";
  const { all, wrong } = wrongWords(arrays);
  if (wrong > 0) return `${wrong} of the ${all} words of its result will be wrong.`;
  if (codes.length > 0) return "Its result will be right this time.";
  return "Its result will be right, and nothing will be found.";
}

/** What goes on at a step: who waits, and what is in flight. */
function presentInWords(recording: Recording, state: State) {
  const waiting = [...state.warps.values()].filter(({ sleeps }) => sleeps).length;
  const bulks = state.bulks.size;
  const flying = [
    ...(bulks > 0 ? [bulks === 1 ? "1 TMA operation" : `${bulks} TMA operations`] : []),
    ...(state.products.size > 0 ? [`${state.products.size} wgmma`] : []),
  ];
  const verb = bulks + state.products.size === 1 ? "is" : "are";
  const inFlight = flying.length > 0 ? `${flying.join(" and ")} ${verb} in flight` : "nothing is in flight";
  return `${waiting} of ${recording.ctas * recording.warps} warps ${
    waiting === 1 ? "waits" : "wait"
  }, and ${inFlight}. `;
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
 * The step that is shown, in short: what goes on, what is found until here and what is to come, each with a button that
 * goes to its step, and how the kernel ends.
 */
export function outlookElements(
  recording: Recording,
  state: State,
  at: number,
  arrays: Result[][],
  goTo: (step: number) => void,
) {
  const isEnd = at === recording.steps.length;
  const seen = firstSeen(recording);
  const listed = (title: string, found: typeof seen) =>
    found.flatMap(([code, step], index) => {
      const label = `${code} at step ${step}`;
      const button = element("button", { type: "button", "data-found": code, title: `go to step ${step}` }, label);
      button.addEventListener("click", () => goTo(step));
      return [index === 0 ? title : ", ", button, index === found.length - 1 ? ". " : ""];
    });
  const present = at === 0 ? "the kernel has not begun. " : presentInWords(recording, state);
  return [
    "In short: ",
    isEnd ? "" : present,
    ...listed("Found: ", seen.filter(([, step]) => step <= at)),
    ...listed("Ahead: ", seen.filter(([, step]) => step > at)),
    isEnd ? endInWords(recording, arrays) : comingInWords(recording, arrays),
  ];
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
