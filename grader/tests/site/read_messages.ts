/// <reference lib="deno.ns" />
// Reads lines of the emulator's module as a page does, and says of each that a page would refuse why.
// Usage: deno run read_messages.ts < lines

import { line } from "../../../handout/site/stepping/player/messages.ts";

const lines = (await new Response(Deno.stdin.readable).text()).split("\n").filter(Boolean);
for (const [i, text] of lines.entries()) {
  try {
    line(JSON.parse(text), `line ${i + 1}`);
  } catch (error) {
    console.log(String(error));
  }
}
console.log(`${lines.length} lines read`);
