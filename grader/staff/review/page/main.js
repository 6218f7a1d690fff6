// Shows what the address asks for, and hears the keys.

import { focusLineOf, moveInCode, moveToNote } from "./code.js";
import { byId, notice } from "./dom.js";
import { showFigures } from "./figures.js";
import { actions, showHandIn } from "./hand_in.js";
import { addressOf, go, placeNow } from "./place.js";
import { nextUnreviewed } from "./rows.js";
import { readClass, readFigures, readHandIn } from "./server.js";
import { moveInTable, showTable } from "./table.js";

const main = byId("main");
let data;
let drawn = 0; // what is asked for later is shown, in whatever order answers come

async function draw(focused = "") {
  const { view, query } = placeNow();
  const mine = ++drawn;
  try {
    if (view === "hand-in") await drawHandIn(query, () => mine === drawn);
    else {
      data = await readClass();
      if (mine !== drawn) return;
      name(data);
      const chosen = placeNow().query; // a filter or an order, while the answer came
      if (view === "figures") await drawFigures(chosen, () => mine === drawn);
      else drawTable(chosen, focused);
    }
    byId("to-table").href = addressOf("", tableOf(query));
    byId("to-figures").href = addressOf("figures", { lab: query.lab });
    for (const [id, own] of [["to-table", ""], ["to-figures", "figures"]]) byId(id).toggleAttribute("data-here", view === own);
  } catch (error) {
    notice(error.message);
  }
}

function name({ title, who }) {
  byId("course").textContent = [title, who].filter(Boolean).join(" · ");
}

// The table's own filters, of a hand-in that was opened from it.
const tableOf = ({ student: _student, only, ...query }) => (_student === undefined ? query : { ...query, lab: only });

function drawTable(query, focused) {
  // Without a word: the lab that comes last, which is the one that is being graded.
  if (query.lab === undefined && !location.hash) query.lab = data.labs.at(-1)?.id;
  document.title = "Hand-ins";
  showTable(main, data, query, draw);
  if (focused) main.querySelectorAll("select")[focused === "lab" ? 0 : 1]?.focus();
}

async function drawHandIn(query, isWanted) {
  const one = await readHandIn(query.student, query.lab);
  if (!isWanted()) return;
  name(one);
  document.title = `${one.name}, ${one.lab}`;
  showHandIn(main, one, {
    next,
    table: () => go("", tableOf(query)),
    reload: async (said, { file, line }) => {
      const top = scrollY;
      await draw();
      notice(said || "It is kept.");
      scrollTo(0, top);
      focusLineOf(main, file, line); // the keys go on from there
    },
  });
  main.focus({ preventScroll: true });
}

async function drawFigures(query, isWanted) {
  const lab = data.labs.find(({ id }) => id === query.lab) ?? data.labs.at(-1);
  const figures = await readFigures(lab.id);
  if (!isWanted()) return;
  document.title = `Figures of ${lab.name}`;
  showFigures(main, data, lab, figures);
}

async function next() {
  const { view, query } = placeNow();
  try {
    data = await readClass(); // others review at the same time
  } catch (error) {
    return notice(error.message);
  }
  const row = nextUnreviewed(data, view === "hand-in" ? query : { ...query, only: query.lab });
  if (!row) return notice("All that the table shows is reviewed.");
  const only = view === "hand-in" ? query.only : query.lab;
  go("hand-in", { ...query, only, student: row.student, lab: row.lab });
}

const KEYS = {
  "": { j: () => moveInTable(main, 1), k: () => moveInTable(main, -1), "/": () => byId("search").focus() },
  "hand-in": {
    j: () => moveInCode(main, 1), k: () => moveInCode(main, -1),
    "]": () => moveToNote(main, 1), "[": () => moveToNote(main, -1),
    c: () => actions.commentHere(), w: () => actions.commentWhole(), a: () => actions.answer(), e: () => actions.edit(),
    d: () => actions.difference(), r: () => actions.review(), Escape: () => actions.table(),
  },
  figures: {},
};
const EVERYWHERE = {
  "?": () => byId("help").showModal(), n: next,
  t: () => byId("to-table").click(), f: () => byId("to-figures").click(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const act = KEYS[placeNow().view][event.key] ?? EVERYWHERE[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
byId("to-help").addEventListener("click", () => byId("help").showModal());
addEventListener("hashchange", () => {
  notice("");
  scrollTo(0, 0);
  draw();
});
draw();
