/// <reference lib="deno.ns" />
// What the explorer's module says of the tensor maps that an H200's driver was asked: the same. It is asked as the page
// asks it.

import assert from "node:assert/strict";
import { MAX_RANK, TensorMapModule } from "../../../handout/site/explorer/module.ts";

// Both are built by make test-site: the second by grader/tests/conformance/map_questions.cpp.
const MODULE = "build/browser/tensor-map.wasm";
const QUESTIONS = "build/explorer/map-questions.bin";
const MAPS = 30_000;
const RECORD_BYTES = 216;

/** A question as tensor_map_module.h lays it out, and behind it whether the driver takes the map. */
function questionAt(view: DataView, at: number) {
  const wide = (first: number, length: number) =>
    Array.from({ length }, (_, i) => view.getBigUint64(at + first + i * 8, true));
  const words = (first: number, length: number) =>
    Array.from({ length }, (_, i) => view.getUint32(at + first + i * 4, true));
  const [mode, type, rank, interleave, swizzle, l2Promotion, fill] = words(80, 7);
  const [channels, pixels] = words(172, 2);
  return {
    address: wide(0, 1)[0],
    size: wide(8, MAX_RANK),
    stride: wide(48, MAX_RANK - 1),
    ...{ mode, type, rank, interleave, swizzle, l2Promotion, fill },
    box: words(108, MAX_RANK),
    elementStride: words(128, MAX_RANK),
    lowerCorner: words(148, 3),
    upperCorner: words(160, 3),
    ...{ channels, pixels },
    coordinates: words(180, MAX_RANK),
    direction: 1,
    sharedAddress: 0,
    isTaken: wide(208, 1)[0] === 1n,
  };
}

Deno.test("the module accepts and refuses what the driver of an H200 does", async () => {
  const module = await TensorMapModule.load(await Deno.readFile(MODULE));
  const { buffer } = await Deno.readFile(QUESTIONS);
  assert.equal(buffer.byteLength, MAPS * RECORD_BYTES);
  const view = new DataView(buffer);
  const wrong: string[] = [];
  let taken = 0;
  for (let i = 0; i < MAPS; ++i) {
    const { isTaken, ...question } = questionAt(view, i * RECORD_BYTES);
    const { verdict, message } = module.ask(question);
    taken += Number(isTaken);
    if ((verdict !== "driver") !== isTaken) wrong.push(`${i}: ${message}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(taken > 0 && taken < MAPS);
});
