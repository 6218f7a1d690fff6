// Code or a table that is wider than its place scrolls: a keyboard has to reach it for that, and a reader of a table to
// see that it goes on. handout.css fades the sides behind which there is more.
"use strict";

const cue = (block) => {
  const behind = block.scrollWidth - block.clientWidth - block.scrollLeft;
  block.toggleAttribute("data-more-left", block.scrollLeft > 1);
  block.toggleAttribute("data-more-right", behind > 1);
};
const reach = (block) => {
  if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  else block.removeAttribute("tabindex");
  cue(block);
};
// Also when a folded part around it is opened.
const sizes = new ResizeObserver((changes) => changes.forEach((change) => reach(change.target)));
for (const block of document.querySelectorAll("pre, .table-wrapper")) {
  sizes.observe(block);
  block.addEventListener("scroll", () => cue(block), { passive: true });
  reach(block);
}
