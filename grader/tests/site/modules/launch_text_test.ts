/// <reference lib="deno.ns" />
// The parts of a launch's text.

import assert from "node:assert/strict";
import { memoryOf, ptxOf, sourceOf, withPtx } from "../../../../handout/site/stepping/player/launch_text.ts";

const LAUNCH = `kernel one
grid 1 1 1
memory 4096 4 01
memory 8192 2 -
source one.cu 2
memory 1 1 ff
ptx
ptx
// a comment
`;

Deno.test("the source has as many lines as it says, whatever they look like", () => {
  assert.deepEqual(sourceOf(LAUNCH), ["memory 1 1 ff", "ptx"]);
});

Deno.test("an allocation holds zeros behind what is given", () => {
  assert.deepEqual(memoryOf(LAUNCH), ["01000000", "0000"]);
});

Deno.test("PTX is what stands behind the source, and may be replaced", () => {
  assert.equal(ptxOf(LAUNCH), "// a comment\n");
  assert.equal(ptxOf(withPtx(LAUNCH, "exit;\n")), "exit;\n");
  assert.deepEqual(sourceOf(withPtx(LAUNCH, "")), sourceOf(LAUNCH));
});
