/// <reference lib="deno.ns" />
// A shape lets through what has it, and says of anything else where it differs.

import assert from "node:assert/strict";
import {
  either,
  headed,
  list,
  Misshapen,
  number,
  object,
  objectWith,
  one,
  perhaps,
  record,
  text,
  tuple,
} from "../../../../handout/site/common/shape.ts";

const message = object({ at: tuple<[number, number]>(number, number), kind: one("a", "b") }, { names: list(text) });

function refusal(value: unknown) {
  try {
    message(value, "it");
  } catch (error) {
    assert.ok(error instanceof Misshapen);
    return error.message;
  }
  return "";
}

Deno.test("what has a shape is given back as it is", () => {
  const given = { at: [1, 2], kind: "b", names: ["x"] };
  assert.equal(message(given, "it"), given);
  assert.equal(refusal({ at: [1, 2], kind: "a" }), "");
});

const WRONG: [name: string, value: unknown, complaint: string][] = [
  ["of another type", { at: [1, "2"], kind: "a" }, 'it.at[1] is "2", and not a number'],
  ["too long", { at: [1, 2, 3], kind: "a" }, "it.at is [1,2,3], and not a list of 2"],
  ["not one of the values", { at: [1, 2], kind: "c" }, 'it.kind is "c", and not of a, b'],
  ["of another type in a list", { at: [1, 2], kind: "a", names: [1] }, "it.names[0] is 1, and not a text"],
  ["incomplete", { kind: "a" }, 'it is {"kind":"a"}, and not complete: it lacks at'],
  ["not an object", [], "it is [], and not an object"],
];
for (const [name, value, complaint] of WRONG) {
  Deno.test(`what is ${name} is refused`, () => assert.equal(refusal(value), complaint));
}

Deno.test("a member that nobody knows is refused, also one that every object inherits", () => {
  assert.match(refusal({ at: [1, 2], kind: "a", more: 1 }), /without a member more$/);
  assert.match(refusal({ at: [1, 2], kind: "a", constructor: 1 }), /without a member constructor$/);
});

Deno.test("an object with some members may have others, and may lack what it perhaps has", () => {
  const shape = objectWith({ code: text, line: perhaps(number) });
  for (const right of [{ code: "a" }, { code: "a", line: 1, more: [] }]) assert.equal(shape(right, "it"), right);
  for (const wrong of [{ line: 1 }, { code: "a", line: "1" }]) assert.throws(() => shape(wrong, "it"), Misshapen);
});

Deno.test("a list with a head has one", () => {
  const shape = headed(text, number);
  assert.deepEqual(shape(["a", 1, 2], "it"), ["a", 1, 2]);
  for (const wrong of [[], [1], ["a", "b"], "a"]) assert.throws(() => shape(wrong, "it"), Misshapen);
});

Deno.test("what has neither of two shapes is told of both", () => {
  const shape = either(number, record(number));
  assert.equal(shape(3, "it"), 3);
  assert.throws(() => shape({ a: "b" }, "it"), /and not a number; it\.a is "b", and not a number/);
});
