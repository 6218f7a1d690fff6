// The form in which somebody says something of a hand-in.

import { element } from "./dom.js";
import { newId, say } from "./server.js";

// Calls `done(notice)` when it is kept, and `left()` when nothing is to be said.
export function sayingForm({ title, saying, used, whyNoPoints, done, left }) {
  const id = newId();
  const text = element("textarea", { rows: 3, required: true, maxLength: 4000, value: saying.text ?? "" });
  const points = !whyNoPoints && element("input", { type: "text", inputMode: "decimal", size: 5, autocomplete: "off", pattern: "[\\-−+]?[0-9]{1,4}([.,][0-9]{1,2})?", title: "as -2 or 1.5", value: saying.points ?? "" });
  const failed = element("p", { class: "failed", role: "alert" });
  const again = used.length > 0 && element("select", {
    onchange: () => {
      const one = used[Number(again.value)];
      if (!one) return;
      text.value = one.text;
      if (points) points.value = one.points;
      text.focus();
    },
  }, element("option", { value: "" }, "said before …"), used.map((one, index) =>
    element("option", { value: String(index) }, `${one.points ? `${one.points}: ` : ""}${one.text.slice(0, 80)}`)));
  if (again) again.setAttribute("aria-label", "said before");
  const form = element("form", { class: "saying", "aria-label": title, onsubmit: (event) => { event.preventDefault(); send(); } },
    element("label", {}, element("span", {}, title), text),
    element("div", { class: "row" },
      again,
      points && element("label", { class: "points" }, element("span", {}, "points, as −2"), points),
      element("button", { class: "main" }, saying.kind === "edit" ? "Keep it" : "Say it"),
      element("button", { type: "button", onclick: left }, "Leave")),
    whyNoPoints && element("p", { class: "sum" }, whyNoPoints),
    failed);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    if (event.key === "Escape") left();
    if (event.key === "Escape") event.stopPropagation();
  });
  async function send() {
    failed.textContent = "";
    const given = points ? points.value.replace("−", "-").replace("+", "").replace(",", ".") : "";
    try {
      const { notice } = await say({ ...saying, id, text: text.value, points: given });
      done(notice);
    } catch (error) {
      failed.textContent = error.message; // what was typed stays
    }
  }
  return { form, focus: () => text.focus() };
}
