/// <reference lib="deno.ns" />
// A link to the explorer, and the state that it says.

import assert from "node:assert/strict";
import { DEFAULT, fromFragment, questionOf, toFragment } from "../../../../handout/site/explorer/state.ts";

Deno.test("a link says what a state has, and the state that is read from it is the same", () => {
  const state = {
    ...DEFAULT,
    type: "bf16",
    rank: 3,
    stride: [256, 512, 0, 0],
    at: [-4, 2, 1, 0, 0],
    swizzle: "128",
    op: "store",
    shared: 256,
  };
  assert.deepEqual(fromFragment(toFragment(state)), state);
});

const UNREAD = [
  "", // nothing
  "#type=f31&swizzle=", // no such choice
  "#rank=two&shared=", // no number
  "#toString=1&constructor=2&__proto__=3", // what every object has
  "#colour=rows",
];
for (const fragment of UNREAD) {
  Deno.test(`of "${fragment}" nothing is read`, () => assert.deepEqual(fromFragment(fragment), DEFAULT));
}

Deno.test("a list without all of its numbers leaves the others as they were", () => {
  assert.deepEqual(fromFragment("#size=7").size, [7, ...DEFAULT.size.slice(1)]);
});

Deno.test("strides that nobody has set follow the sizes, in positions of an interleaved layout too", () => {
  assert.deepEqual(questionOf(fromFragment("#size=10,20,30"), 4).stride.slice(0, 2), [40n, 800n]);
  assert.deepEqual(questionOf(fromFragment("#size=10,20,30&interleave=16"), 4).stride.slice(0, 2), [160n, 3200n]);
});
