// A file of a hand-in: its lines, what was found in them, and what was said of them.

import { element } from "./dom.js";

export function findingText(finding) {
  const lines = finding.text.map((line, index) => [
    index ? "\n" : "",
    ...line.map(([style, text]) => (style === "plain" ? text : element("span", { class: style }, text))),
  ]);
  return element("pre", { class: "finding" }, lines.flat());
}

// What was said with it, as +5 points.
const pointsOf = ({ points }) =>
  points && `${points.startsWith("-") ? "−" : "+"}${points.replace("-", "")} ${/^-?1$/.test(points) ? "point" : "points"}`;

const saidBy = ({ by, at }) => `${by} · ${at.slice(0, 16).replace("T", " ")} UTC`;

const earlierWords = (remark) => element("details", {},
  element("summary", {}, `changed; first by ${saidBy(remark.earlier[0])}`),
  remark.earlier.map((one) => element("p", { class: "said" }, [saidBy(one), pointsOf(one), one.text].filter(Boolean).join(" · "))));

export function remarkBox(remark, { takeBack, edit }) {
  const stands = {
    moved: `said of line ${remark.said_line}, which is this one now`,
    changed: `said of line ${remark.said_line} of ${remark.file}, which has changed since: ${remark.source.trim()}`,
  }[remark.stands];
  const label = remark.kind === "answer" ? "answer" : "comment";
  const box = element("div", { class: "remark", "data-id": remark.id },
    element("p", { class: "by" }, saidBy(remark),
      remark.points && element("strong", {}, ` · ${pointsOf(remark)}`),
      element("button", { type: "button", class: "quiet edit", "aria-label": `edit this ${label}`, onclick: () => edit(remark, box) }, "edit"),
      element("button", { type: "button", class: "quiet", "aria-label": `take this ${label} back`, onclick: () => takeBack(remark) }, "take back")),
    stands && element("p", { class: "stands" }, stands),
    element("p", { class: "said" }, remark.text),
    remark.earlier.length > 0 && earlierWords(remark));
  return box;
}

const beside = (file, around, number) => [
  ...around.findings.filter((one) => one.file === file.name && one.line === number).map(findingText),
  ...around.remarks.filter((one) => one.file === file.name && one.line === number).map((one) => remarkBox(one, around)),
];

function row(file, around, sign, number, text) {
  const button = number
    ? element("button", { type: "button", tabIndex: -1, "data-line": number, "aria-label": `line ${number}: comment`, onclick: () => around.comment(file.name, number, line) }, String(number))
    : "";
  const line = element("tr", { class: { "+": "added", "-": "removed", "@": "gap" }[sign] ?? "" },
    element("td", { class: "line" }, button),
    element("td", { class: "text" }, sign === "@" ? "⋯" : element("code", {}, text || " ")));
  if (sign === "+") line.firstChild.append(element("span", { class: "hidden" }, " not in the skeleton"));
  if (sign === "-") line.firstChild.append(element("span", { class: "hidden" }, "only in the skeleton"));
  return line;
}

function linesOf(file, onlyDifference) {
  if (onlyDifference && file.difference) return file.difference.map(([sign, , number, text]) => [sign, number, text]);
  const added = new Set((file.difference ?? []).filter(([sign]) => sign === "+").map(([, , number]) => number));
  return file.lines.map((text, index) => [added.has(index + 1) ? "+" : " ", index + 1, text]);
}

export function codeTable(file, around, onlyDifference) {
  const body = element("tbody");
  for (const [sign, number, text] of linesOf(file, onlyDifference)) {
    const line = row(file, around, sign, sign === "@" ? 0 : number, text);
    body.append(line);
    const notes = number && sign !== "@" ? beside(file, around, number) : [];
    if (notes.length) body.append(element("tr", { class: "notes" }, element("td", { colspan: "2" }, notes)));
  }
  const first = body.querySelector("button[data-line]");
  if (first) first.tabIndex = 0;
  return element("table", { class: "code", role: "presentation" }, body);
}

const lineButtons = (main) => [...main.querySelectorAll("button[data-line]")];

export function focusLine(button) {
  for (const other of button.closest("table").querySelectorAll('button[data-line][tabindex="0"]')) other.tabIndex = -1;
  button.tabIndex = 0;
  button.focus();
  button.scrollIntoView({ block: "nearest" });
}

export function focusLineOf(main, file, line) {
  const text = [...main.querySelectorAll("section.file")].find((one) => one.getAttribute("aria-label") === file);
  const button = text?.querySelector(`button[data-line="${Number(line)}"]`);
  if (button) focusLine(button);
}

export function moveInCode(main, step) {
  const buttons = lineButtons(main);
  const here = buttons.indexOf(document.activeElement);
  const button = buttons[here < 0 ? 0 : Math.min(Math.max(here + step, 0), buttons.length - 1)];
  if (button) focusLine(button);
}

// To the line with the next finding or comment.
export function moveToNote(main, step) {
  const noted = [...main.querySelectorAll("tr.notes")].map((notes) => notes.previousElementSibling.querySelector("button[data-line]"));
  const buttons = lineButtons(main);
  const here = buttons.indexOf(document.activeElement);
  const places = noted.filter(Boolean).map((button) => [buttons.indexOf(button), button]);
  const next = step > 0 ? places.find(([place]) => place > here) : places.findLast(([place]) => place < here || here < 0);
  if (next) focusLine(next[1]);
}
