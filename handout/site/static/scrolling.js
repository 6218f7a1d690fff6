// Code or a table that is wider than its place scrolls, and a keyboard has to reach it for that.
"use strict";

const reach = () => {
  for (const block of document.querySelectorAll("pre, .table-wrapper")) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
    else block.removeAttribute("tabindex");
  }
};
addEventListener("resize", reach);
reach();
