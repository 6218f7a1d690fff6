/// <reference lib="deno.ns" />
// Which keys a control keeps, and which are for the player.

import assert from "node:assert/strict";
import { isTaken } from "../../../../handout/site/stepping/player/keys.ts";

/** An element that is found by some selectors. */
const control = (...selectors: string[]) => ({
  matches: (asked: string) => asked.split(", ").some((each) => selectors.includes(each)),
});
const circle = control("input", "input[type=radio]");

Deno.test("the arrows to the sides step where a line was just taken away, and those up and down choose another", () => {
  const kept = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].filter((key) => isTaken(circle, key));
  assert.deepEqual(kept, ["ArrowUp", "ArrowDown"]);
});

Deno.test("what one writes in, drags or chooses from keeps its keys", () => {
  for (const name of ["input", "select", "textarea"]) assert(isTaken(control(name), "ArrowRight"));
  assert(!isTaken(control("button"), "ArrowRight"));
});
