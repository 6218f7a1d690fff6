/// <reference lib="deno.ns" />
// What becomes of a warpgroup's products, in a state and in words.

import assert from "node:assert/strict";
import type { ProductMoment } from "../../../../handout/site/stepping/player/messages.ts";
import { apply, type Product, productsInWords } from "../../../../handout/site/stepping/player/products.ts";

const warps: [number, number] = [0, 4];
const issued = (number: number): ProductMoment => ({ issued: number, warps, a: [0, 512], b: [0, 1024] });

/** The products in flight after these moments. */
function after(...moments: ProductMoment[]) {
  const products = new Map<string, Product>();
  for (const moment of moments) apply(moment, 10, products);
  return [...products.values()];
}

Deno.test("a product is in flight until a wait says that it is done", () => {
  const inFlight = after(issued(1), issued(2), { committed: 2, warps }, { done: 1, warps });
  assert.deepEqual(inFlight.map(({ number }) => number), [2]);
});

Deno.test("a commit is for what was issued before it", () => {
  const inFlight = after(issued(1), { committed: 1, warps }, issued(2));
  assert.deepEqual(inFlight.map(({ isCommitted }) => isCommitted), [true, false]);
});

Deno.test("each product is multiplied on its own", () => {
  const inFlight = after(issued(1), issued(2), { multiplied: 1, warps });
  assert.deepEqual(inFlight.map(({ hasRead }) => hasRead), [true, false]);
});

Deno.test("another warpgroup's products are others", () => {
  const other: [number, number] = [0, 8];
  const inFlight = after(issued(1), { issued: 1, warps: other, b: [0, 0] }, { done: 1, warps: other });
  assert.deepEqual(inFlight.map((one) => one.warps), [warps]);
});

Deno.test("a step's products are told together, and by which warps", () => {
  const words = productsInWords([issued(1), issued(2), { committed: 2, warps }], 1);
  assert.equal(
    words,
    " The first of warps 4 to 7 issues wgmma 1 to 2. What warps 4 to 7 have issued up to wgmma 2 is a group.",
  );
});
