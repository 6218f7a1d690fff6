// One hand-in: what it came to, its text, and what is said of it.

import { codeTable, findingText, remarkBox } from "./code.js";
import { element, had, notice, points, verdict } from "./dom.js";
import { sayingForm } from "./saying.js";
import { newId, say } from "./server.js";

// What the keys do here; filled anew with each hand-in.
export const actions = {};

let onlyDifference = false; // stays from one hand-in to the next

export function showHandIn(main, one, { next, reload, table }) {
  const base = { student: one.student, lab: one.lab, hand_in: one.hand_in };
  const tell = (saying) => say({ ...base, id: newId(), ...saying });
  const takeBack = async (remark) => {
    try {
      const { notice: said } = await tell({ kind: "withdraw", about: remark.id });
      reload(said || "Taken back.", remark);
    } catch (error) {
      notice(error.message);
    }
  };
  const open = (title, saying, place, back, whyNoPoints = one.why_no_points) => {
    document.querySelector("form.saying")?.remove();
    const leave = () => {
      form.remove();
      back?.focus();
    };
    const used = saying.kind === "comment" ? one.used : [];
    const { form, focus } = sayingForm({ title, saying: { ...base, ...saying }, used, whyNoPoints, left: leave, done: (said) => reload(said, saying) });
    place(form);
    focus();
    form.scrollIntoView({ block: "nearest" });
  };
  const edit = (remark, box) => open(`Edit the ${remark.kind}`,
    { kind: "edit", about: remark.id, text: remark.text, points: remark.points, file: remark.file, line: remark.line },
    (form) => box.after(form), box.querySelector("button.edit"));
  const comment = (file, line, row) => {
    const under = row.nextElementSibling?.classList.contains("notes") ? row.nextElementSibling.firstChild : null;
    open(`Comment on line ${line} of ${file}`, { kind: "comment", file, line }, (form) => {
      if (under) under.append(form);
      else row.after(element("tr", { class: "notes form" }, element("td", { colspan: "2" }, form)));
    }, row.querySelector("button"));
  };
  const around = { findings: one.findings, remarks: one.remarks, comment, takeBack, edit };
  const whole = element("div", { class: "whole" });
  const commentWhole = () => open("Comment on the hand-in", { kind: "comment" }, (form) => whole.append(form), wholeButton);
  const wholeButton = element("button", { type: "button", onclick: commentWhole }, "Comment on the hand-in ", element("kbd", {}, "w"));
  const answerBox = element("div");
  const answer = () => one.request_text && open("Answer to the request", { kind: "answer", about: one.request_digest },
    (form) => answerBox.append(form), answerButton);
  const answerButton = element("button", { type: "button", onclick: answer }, "Answer ", element("kbd", {}, "a"));
  const review = async () => {
    try {
      if (one.review !== "reviewed") await tell({ kind: "reviewed" });
      next();
    } catch (error) {
      notice(error.message);
    }
  };
  const files = element("div", { class: "files" });
  const drawFiles = () => files.replaceChildren(...filesOf(one, around, onlyDifference));
  const turn = element("button", { type: "button", "aria-pressed": String(onlyDifference), onclick: () => actions.difference() },
    "Only what differs from the skeleton ", element("kbd", {}, "d"));
  Object.assign(actions, {
    commentWhole, answer, review, table,
    // Where no line has the focus, what is typed next must not be taken for keys.
    commentHere: () => {
      const line = document.activeElement?.closest("tr")?.querySelector("button[data-line]");
      if (line) line.click();
      else commentWhole();
    },
    // What was said last of the line that has the focus; where none has it, or nothing was said there, of the whole.
    edit: () => {
      const notes = document.activeElement?.closest("tr")?.nextElementSibling;
      const there = [notes, main.querySelector(".results")].map((place) => place?.querySelectorAll("button.edit") ?? []);
      [...there].map((buttons) => [...buttons].at(-1)).find(Boolean)?.click();
    },
    difference: () => {
      onlyDifference = !onlyDifference;
      turn.setAttribute("aria-pressed", String(onlyDifference));
      drawFiles();
    },
  });
  drawFiles();
  main.replaceChildren(
    heading(one, review, next),
    element("div", { class: "reading" },
      element("section", { class: "results", "aria-label": "Results" },
        request(one, answerBox, answerButton, around),
        partsTable(one), casesOf(one), elsewhere(one),
        one.counts.length > 0 && element("details", {}, element("summary", {}, "What it counts"), element("pre", {}, one.counts.join("\n"))),
        element("h2", {}, "On the whole"),
        one.remarks.filter((remark) => remark.kind === "comment" && !isBeside(one, remark)).map((remark) => remarkBox(remark, around)),
        whole, wholeButton),
      element("section", { class: "text", "aria-label": "Text" },
        one.files.some((file) => file.difference) && element("p", { class: "tools" }, turn), files)),
  );
}

const isBeside = (one, remark) => one.files.some((file) => file.name === remark.file);

function heading(one, review, next) {
  const state = one.review === "reviewed" ? `reviewed by ${[...new Set(one.reviewed_by)].join(", ")}` : one.review === "again" ? "handed in anew since it was reviewed" : "not reviewed";
  return element("div", { class: "heading" },
    element("div", {},
      element("h1", {}, element("bdi", {}, one.name)),
      element("p", { class: "sum" }, [one.lab_name, one.section && `section ${one.section}`, state].filter(Boolean).join(" · "))),
    element("p", { class: "score" }, `${points(one.score)} of ${points(one.max - one.pending)}`, one.pending > 0 && element("small", {}, ` ${points(one.pending)} pending`)),
    element("p", { class: "tools" },
      element("button", { type: "button", class: "main", onclick: review }, one.review === "reviewed" ? "Next " : "Reviewed, next ", element("kbd", {}, "r")),
      element("button", { type: "button", onclick: next }, "Skip ", element("kbd", {}, "n"))));
}

function request(one, box, button, around) {
  if (!one.request_text) return null;
  const answers = one.remarks.filter((remark) => remark.kind === "answer");
  return element("div", { class: "request" }, element("h2", {}, "Asks for a regrade"),
    element("pre", {}, one.request_text), answers.map((remark) => remarkBox(remark, around)), box, button);
}

function partsTable(one) {
  const rows = one.part_results.map((part) => element("tr", {},
    element("th", { scope: "row" }, element("code", {}, part.id)),
    element("td", {}, verdict(part.verdict)),
    element("td", { class: "number" }, had(part.verdict, part.score), element("span", { class: "of" }, `/${points(part.max)}`))));
  const messages = one.part_results.filter((part) => part.message && part.verdict !== "pass" && part.verdict !== "pending");
  return [element("h2", {}, "Parts"), element("table", { class: "parts" },
    element("thead", {}, element("tr", {}, ["part", "verdict", "points"].map((name, index) => element("th", { scope: "col", class: index === 2 ? "number" : "" }, name)))),
    element("tbody", {}, rows)),
  messages.map((part) => element("details", {}, element("summary", {}, element("code", {}, part.id), " says"), element("pre", {}, part.message)))];
}

function casesOf(one) {
  if (!one.cases.length) return null;
  return [element("h2", {}, "Cases that went wrong"), element("div", { class: "cases", tabIndex: 0, role: "region", "aria-label": "Cases" },
    one.cases.map((failed) => element("div", { class: "case" },
      element("p", {}, element("code", {}, failed.part), ` ${failed.case} `, verdict(failed.verdict), element("small", {}, ` ${failed.engines.join(", ")}`)),
      element("pre", {}, failed.message))))];
}

function elsewhere(one) {
  const findings = one.findings.filter((finding) => !finding.line);
  return findings.length > 0 && [element("h2", {}, "Found, at no line of the text"), findings.map(findingText)];
}

function filesOf(one, around, onlyDifference) {
  if (!one.is_kept) return [element("p", {}, "The text was not kept when this was graded. Grade the class again with the same command: nothing is judged anew, and the text is kept.")];
  return [
    ...one.files.map((file) => element("section", { class: "file", "aria-label": file.name },
      element("h2", {}, file.name), codeTable(file, around, onlyDifference),
      file.left_out > 0 && element("p", {}, `${file.left_out} more lines are not shown`))),
    one.files_left_out > 0 && element("p", {}, `${one.files_left_out} more files are not shown`),
    one.ignored.length > 0 && element("details", {}, element("summary", {}, "Not graded"), element("ul", {}, one.ignored.map((line) => element("li", {}, line)))),
  ].filter(Boolean);
}
