// Figures of a lab: how its parts ended, in which cases, by which findings, and how long judging took.

import { chosen, element, verdict } from "./dom.js";
import { addressOf, go } from "./place.js";

const seconds = (value) => (value < 90 ? `${value.toFixed(1)} s` : `${(value / 60).toFixed(1)} min`);

function counted(title, rows, of, cellOf) {
  if (!rows.length) return null;
  const bar = (count) => {
    const part = element("span", {});
    part.style.width = `${(100 * count) / of}%`;
    return element("td", { class: "meter" }, part);
  };
  return element("div", {}, element("h3", {}, title), element("table", { class: "counted" }, element("tbody", {}, rows.map(([name, count]) =>
    element("tr", {}, element("th", { scope: "row" }, cellOf(name)), element("td", { class: "number" }, String(count)), bar(count))))));
}

export function showFigures(main, data, lab, figures) {
  const linked = (query, text) => element("a", { href: addressOf("", { lab: lab.id, ...query }) }, text);
  const parts = figures.parts.map((part) => element("section", { class: "part" },
    element("h2", {}, element("code", {}, part.id)),
    element("div", { class: "columns" },
      counted("How it ended", part.verdicts, figures.handed_in, (name) => linked({ part: part.id, verdict: name }, verdict(name))),
      counted("Findings", part.findings, figures.handed_in, (name) => linked({ code: name }, element("code", {}, name))),
      counted("Cases that went wrong", part.cases, figures.handed_in, (name) => name))));
  const time = figures.seconds;
  main.replaceChildren(
    element("h1", {}, `${lab.name}: figures`),
    element("form", { class: "filters" }, chosen("lab", lab.id, data.labs.map(({ id, name }) => [id, name]), (id) => go("figures", { lab: id }))),
    element("p", {}, `${figures.handed_in} hand-ins`, time && `; judging took ${seconds(time.median)} for the median hand-in, ${seconds(time.most)} for the slowest, ${seconds(time.all)} for all of them`, "."),
    ...parts,
  );
}
