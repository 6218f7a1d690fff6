/// <reference lib="deno.ns" />
// A link to the explorer of matrix descriptors, and the state that it says.

import assert from "node:assert/strict";
import { DEFAULT, fromFragment, type State, toFragment } from "../../../../handout/site/descriptors/state.ts";

Deno.test("a link says what a state has, and the state that is read from it is the same", () => {
  const state: State = { lines: 16, major: "mn", swizzle: "64", start: 128, leading: 4096, stride: 256, base: 3 };
  assert.deepEqual(fromFragment(toFragment(state)), state);
});

const UNREAD = [
  "", // nothing
  "#swizzle=96&major=m", // no such choice
  "#lines=12&start=-16&base=8&stride=", // no such number
  "#toString=1&constructor=2&__proto__=3", // what every object has
];
for (const fragment of UNREAD) {
  Deno.test(`of "${fragment}" nothing is read`, () => assert.deepEqual(fromFragment(fragment), DEFAULT));
}
