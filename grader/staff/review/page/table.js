// The class: students and parts of a lab, or students and labs.

import { chosen, element, had, points, verdict } from "./dom.js";
import { addressOf, say } from "./place.js";
import { allRows, shownRows, STATES } from "./rows.js";

const FIRST = 60; // rows that are there at once; a screen has fewer, and the others follow when those are painted
let rest;

const REVIEW = { reviewed: "reviewed", open: "", again: "again: handed in anew" };

const uniqueSorted = (values) => [...new Set(values)].filter(Boolean).sort();

const opened = (row, query) => addressOf("hand-in", { ...query, only: query.lab, student: row.student, lab: row.lab });

function nameCell(row, query, isLink) {
  const name = element("bdi", {}, row.name);
  return element("th", { scope: "row" }, isLink && !row.absent ? element("a", { href: opened(row, query) }, name) : name);
}

function shade(row) {
  const reach = row.max - row.pending;
  if (reach <= 0) return "waiting";
  const share = row.score / reach;
  return share >= 1 ? "full" : share >= 0.75 ? "most" : share >= 0.5 ? "half" : share > 0 ? "some" : "none";
}

const ofPoints = (row) =>
  row.absent ? "–" : `${points(row.score)} of ${points(row.max - row.pending)}${row.pending ? `, ${points(row.pending)} pending` : ""}`;

function pointsCell(row) {
  if (row.absent) return element("td", { class: "number" }, "–");
  const pending = row.pending > 0 && element("small", { class: "of" }, ` +${points(row.pending)} pending`);
  return element("td", { class: "number" }, points(row.score), element("small", { class: "of" }, `/${points(row.max - row.pending)}`), pending);
}

function partCell(row, part) {
  const said = row.parts[part];
  if (!said) return element("td", {});
  return element("td", {}, verdict(said[0]), element("small", { class: "of" }, ` ${had(said[0], said[1])}/${points(said[2])}`));
}

function mark(row) {
  const marks = [REVIEW[row.review] ?? "", row.request === "open" ? "asks for a regrade" : row.request && "request answered"];
  return row.absent ? "nothing handed in" : marks.filter(Boolean).join("; ");
}

// Columns as [key to sort by, heading, title, cell of a row].
function columnsOfLab(lab, query, hasSections) {
  return [
    ["name", "student", "", (row) => nameCell(row, query, true)],
    ...(hasSections ? [["section", "section", "", (row) => element("td", {}, row.section)]] : []),
    ["review", "review", "", (row) => element("td", { class: `mark ${row.review}` }, mark(row))],
    ["points", "points", "", pointsCell],
    ...lab.parts.map(({ id, title }) => [`part:${id}`, id, title, (row) => partCell(row, id)]),
    ["comments", "comments", "", (row) => element("td", { class: "number" }, row.comments ? String(row.comments) : "")],
  ];
}

function labCell(row, query) {
  if (!row || row.absent) return element("td", { class: "absent" }, row ? "–" : "");
  const said = [row.review === "reviewed" ? "✓" : "", row.request === "open" ? "?" : "", row.comments ? `(${row.comments})` : ""];
  const link = element("a", { href: opened(row, query), title: `${ofPoints(row)} ${mark(row)}` }, points(row.score));
  return element("td", { class: shade(row) }, link, element("small", {}, ` ${said.join("")}`));
}

function columnsOfClass(labs, query, hasSections) {
  return [
    ["name", "student", "", (row) => nameCell(row, query, false)],
    ...(hasSections ? [["section", "section", "", (row) => element("td", {}, row.section)]] : []),
    ...labs.map(({ id, name }) => [`lab:${id}`, id.split("-")[0], name, (row) => labCell(row.labs.get(id), query)]),
  ];
}

// One row a student, with what fits of each lab.
function byStudent(data, query) {
  const students = new Map();
  for (const row of shownRows(data, { ...query, sort: "name" })) {
    const one = students.get(row.student) ?? { ...row, labs: new Map() };
    one.labs.set(row.lab, row);
    students.set(row.student, one);
  }
  return [...students.values()];
}

export function showTable(main, data, query, redraw) {
  const lab = data.labs.find(({ id }) => id === query.lab);
  const sections = uniqueSorted(allRows(data).map((row) => row.section));
  const columns = lab ? columnsOfLab(lab, query, sections.length) : columnsOfClass(data.labs, query, sections.length);
  const body = element("tbody");
  const count = element("p", { class: "count", role: "status" });
  // Made anew each time: a row's links say by what the table is filtered.
  const made = (row) => element("tr", { class: lab && row.absent ? "without" : "" }, columns.map(([, , , cell]) => cell(row)));
  const fill = () => {
    const rows = lab ? shownRows(data, query) : byStudent(data, query);
    const ordered = lab || !query.sort ? rows : sortedStudents(rows, query);
    body.replaceChildren(...ordered.slice(0, FIRST).map(made));
    clearTimeout(rest);
    requestAnimationFrame(() => {
      clearTimeout(rest);
      rest = setTimeout(() => body.append(...ordered.slice(body.childElementCount).map(made)));
    });
    const handIns = shownRows(data, query).filter((row) => !row.absent);
    const left = handIns.filter((row) => row.review !== "reviewed").length;
    count.textContent = `${handIns.length} hand-ins of ${data.rows.length}; ${left} not reviewed`;
  };
  const set = (name) => (value) => {
    query[name] = value;
    if (name === "lab") query.part = query.sort = "";
    say("", query);
    if (["lab", "part"].includes(name)) redraw(name);
    else fill();
  };
  const heads = element("tr", {}, columns.map(([key, text, title]) => heading(key, text, title, query, () => {
    say("", query);
    fill();
    for (const [index, head] of [...heads.children].entries()) markOrder(head, columns[index][0], query);
  })));
  main.replaceChildren(
    element("h1", {}, lab ? lab.name : "Hand-ins"),
    filters(data, lab, sections, query, set),
    count,
    element("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Hand-ins" },
      element("table", { class: "class rows" }, element("thead", {}, heads), body)),
  );
  fill();
}

function sortedStudents(rows, query) {
  const labs = query.sort.startsWith("lab:") ? query.sort.slice(4) : "";
  if (!labs) return query.down ? [...rows].reverse() : rows;
  const score = (row) => row.labs.get(labs)?.score ?? -1;
  return [...rows].sort((one, other) => (query.down ? -1 : 1) * (score(one) - score(other)));
}

function heading(key, text, title, query, changed) {
  const sort = () => {
    query.down = (query.sort || "name") === key && !query.down ? "1" : "";
    query.sort = key;
    changed();
  };
  const isNumber = ["points", "comments"].includes(key);
  const head = element("th", { scope: "col", class: isNumber ? "number" : "" }, element("button", { type: "button", title, onclick: sort }, text));
  markOrder(head, key, query);
  return head;
}

function markOrder(head, key, query) {
  if ((query.sort || "name") === key) head.setAttribute("aria-sort", query.down ? "descending" : "ascending");
  else head.removeAttribute("aria-sort");
}

function filters(data, lab, sections, query, set) {
  const rows = data.rows.filter((row) => !lab || row.lab === lab.id);
  const said = rows.flatMap((row) => Object.entries(row.parts)).filter(([id]) => !query.part || id === query.part);
  const verdicts = uniqueSorted(said.map(([, [name]]) => name));
  const codes = uniqueSorted(rows.flatMap((row) => row.codes));
  const named = (names, any) => [["", any], ...names.map((name) => [name, name])];
  const search = element("input", { type: "search", id: "search", value: query.search ?? "", oninput: () => set("search")(search.value) });
  search.setAttribute("aria-keyshortcuts", "/");
  return element("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
    element("label", { class: "search" }, element("span", {}, "student"), search),
    chosen("lab", query.lab ?? "", [["", "all"], ...data.labs.map(({ id, name }) => [id, name])], set("lab")),
    lab && chosen("part", query.part ?? "", named(lab.parts.map(({ id }) => id), "any"), set("part")),
    chosen("verdict", query.verdict ?? "", named(verdicts, "any"), set("verdict")),
    chosen("finding", query.code ?? "", named(codes, "any"), set("code")),
    chosen("review", query.state ?? "", STATES, set("state")),
    sections.length > 0 && chosen("section", query.section ?? "", named(sections, "all"), set("section")),
  );
}

// A row down or up; answers whether there was one.
export function moveInTable(main, step) {
  const links = [...main.querySelectorAll("tbody a")];
  const here = links.indexOf(document.activeElement);
  links[here < 0 ? 0 : Math.min(Math.max(here + step, 0), links.length - 1)]?.focus();
}
