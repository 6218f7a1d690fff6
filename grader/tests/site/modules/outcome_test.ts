/// <reference lib="deno.ns" />
// What a launch comes to is known before it is stepped through.

import assert from "node:assert/strict";
import type { Finding, Step } from "../../../../handout/site/stepping/player/messages.ts";
import { firstSeen } from "../../../../handout/site/stepping/player/outcome.ts";

const found = (code: string): Finding => ({ code, message: "", text: [] }) as unknown as Finding;
const step = (...findings: string[]): Step => ({ line: 1, findings }) as unknown as Step;

Deno.test("each code stands once, with the first step at which it is seen", () => {
  const findings = [found("data-race"), found("deadlock"), found("data-race")];
  const steps = [step(), step("data-race"), step("data-race", "deadlock"), step()];
  assert.deepEqual(firstSeen({ findings, steps }), [["data-race", 2], ["deadlock", 3]]);
});

Deno.test("what nobody sees at a step is seen at the end", () => {
  assert.deepEqual(firstSeen({ findings: [found("deadlock")], steps: [step(), step()] }), [["deadlock", 2]]);
});
