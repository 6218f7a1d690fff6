// The choice of what runs: the right kernel, or one that has a mistake.

import { element } from "../../common/dom.ts";
import { sourceOf } from "./launch_text.ts";
import type { Launches } from "./messages.ts";

type Versions = Launches["versions"];

/** A version's name, and what stands beside its circle. */
type Choice = [name: string, ...content: (Node | string)[]];

/** `pick` is called with the name of the version that the reader chooses; `chosen` is the one to begin with. */
export function versionChoice(versions: Versions, chosen: string, pick: (name: string) => void) {
  const labels = choicesOf(versions).map(([name, ...content]) => {
    const circle = element("input", { type: "radio", name: "stepping-version", "data-version": name });
    circle.checked = name === chosen;
    circle.addEventListener("change", () => pick(name));
    return element("label", {}, circle, ...content);
  });
  const title = versions.wrong ? "which kernel" : "take away";
  return element("fieldset", { class: "stepping-mistakes" }, element("legend", {}, title), ...labels);
}

/** The two kernels of a finding's page; or else the right one, and each that lacks something. */
function choicesOf(versions: Versions): Choice[] {
  if (versions.wrong) return ["wrong", "right"].map((name) => [name, ` ${name}`]);
  const source = sourceOf(versions.right.launch);
  return Object.entries(versions).map(([name, { without }]) => {
    if (name === "right") return [name, " nothing"];
    const lines = without.map((number) => source[number - 1].trim()).join(" ");
    return [name, ` line${without.length > 1 ? "s" : ""} ${without.join(", ")} `, element("code", {}, lines)];
  });
}
