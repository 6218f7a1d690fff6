// The products of warpgroups: what became of each wgmma, in a state and in words.

import type { Place, ProductMoment } from "./messages.ts";

/** A wgmma that was issued, and of which no wait of its warps says that it is done. */
export interface Product {
  number: number;
  line: number;
  warps: [rank: number, index: number];
  a?: Place;
  b: Place;
  isCommitted: boolean;
  hasRead: boolean;
}

const keyOf = (warps: [number, number], number: number) => `${warps.join()}:${number}`;

/** The products of a warpgroup up to a number. */
function upTo(products: Map<string, Product>, warps: [number, number], last: number) {
  return [...products.values()].filter((one) => one.warps.join() === warps.join() && one.number <= last);
}

/** What a moment changes; `line` is that of its step. */
export function apply(moment: ProductMoment, line: number, products: Map<string, Product>) {
  const { warps } = moment;
  if ("issued" in moment) {
    const { issued: number, a, b } = moment;
    products.set(keyOf(warps, number), { number, line, warps, a, b, isCommitted: false, hasRead: false });
  } else if ("committed" in moment) {
    for (const one of upTo(products, warps, moment.committed)) one.isCommitted = true;
  } else if ("multiplied" in moment) {
    const one = products.get(keyOf(warps, moment.multiplied));
    if (one) one.hasRead = true;
  } else {
    for (const one of upTo(products, warps, moment.done)) products.delete(keyOf(warps, one.number));
  }
}

/** "warps 0 to 3", with the CTA where there are several. */
export function warpsInWords([rank, first]: [number, number], ctas: number) {
  return `warps ${first} to ${first + 3}${ctas > 1 ? ` of CTA ${rank}` : ""}`;
}

const numbers = (from: number, to: number) => from === to ? `wgmma ${from}` : `wgmma ${from} to ${to}`;

/** What a step does to products, in sentences. */
export function productsInWords(moments: ProductMoment[], ctas: number) {
  const issued = moments.flatMap((moment) => "issued" in moment ? [moment.issued] : []);
  const multiplied = moments.flatMap((moment) => "multiplied" in moment ? [moment.multiplied] : []);
  const said: string[] = [];
  const [first] = moments;
  if (!first) return "";
  const who = warpsInWords(first.warps, ctas);
  if (issued.length > 0) said.push(`The first of ${who} issues ${numbers(issued[0], issued[issued.length - 1])}.`);
  if (multiplied.length > 0) {
    const which = numbers(multiplied[0], multiplied[multiplied.length - 1]);
    said.push(`Tensor cores: ${which} of ${who} reads shared memory and registers, and writes the sums.`);
  }
  for (const moment of moments) {
    if ("committed" in moment) said.push(`What ${who} have issued up to wgmma ${moment.committed} is a group.`);
    if ("done" in moment) said.push(`The wait of ${who} is over: up to wgmma ${moment.done} all is done.`);
  }
  return said.map((sentence) => ` ${sentence}`).join("");
}
