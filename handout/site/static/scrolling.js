// A block of code that is wider than its place scrolls, and a keyboard has to reach it for that.
"use strict";

const reach = () => {
  for (const block of document.querySelectorAll("pre")) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
    else block.removeAttribute("tabindex");
  }
};
addEventListener("resize", reach);
reach();
