// Below each page that the search has found: the words around the first place that has a word that was asked for.
// search_excerpts.py writes SEARCH_TEXTS, for each page its sections, as anchor and words.
"use strict";

const AROUND = 90;

/** The words that were asked for, in lower case, the longest first: it says most. */
function askedWords() {
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  const words = asked.toLowerCase().split(/[^\p{Letter}\p{Number}_]+/u).filter((word) => word.length > 1);
  return words.sort((a, b) => b.length - a.length);
}

/** Where a word of the text begins with this one, or -1. */
function beginOf(word, text) {
  return text.toLowerCase().search(new RegExp(`(?<![\\p{Letter}\\p{Number}])${word}`, "u"));
}

/** Where the first of the words that the text has begins, or -1. */
function placeOf(words, text) {
  return words.map((word) => beginOf(word, text)).find((place) => place !== -1) ?? -1;
}

/** The words around the first place, from one space to another. */
function excerptOf(sections, anchor, words) {
  const own = sections.filter(([name]) => anchor !== "" && name === anchor);
  const [, text] = [...own, ...sections].find(([, text]) => placeOf(words, text) !== -1) ?? sections[0] ?? ["", ""];
  const place = Math.max(0, placeOf(words, text));
  const begin = place > AROUND ? text.indexOf(" ", place - AROUND) + 1 : 0;
  const last = text.lastIndexOf(" ", place + AROUND);
  const end = place + AROUND < text.length && last > place ? last : text.length;
  return `${begin > 0 ? "… " : ""}${text.slice(begin, Math.min(end, begin + 3 * AROUND))}${end < text.length ? " …" : ""}`;
}

/** The excerpt with the words in bold. */
function excerptElement(excerpt, words) {
  const paragraph = document.createElement("p");
  paragraph.className = "context";
  const word = new RegExp(`(?<![\\p{Letter}\\p{Number}])(${words.join("|")})`, "giu");
  excerpt.split(word).forEach((piece, index) => {
    if (index % 2 === 0) return paragraph.append(piece);
    const bold = document.createElement("b");
    bold.textContent = piece;
    paragraph.append(bold);
  });
  return paragraph;
}

const words = askedWords();
const found = document.getElementById("search-results");
const complete = () => {
  for (const item of found.querySelectorAll("li:not([data-excerpt])")) {
    item.dataset.excerpt = "";
    const [page, anchor = ""] = item.querySelector("a").getAttribute("href").split("#");
    const sections = globalThis.SEARCH_TEXTS[page.replace(/\.html$/, "")];
    if (sections) item.append(excerptElement(excerptOf(sections, anchor, words), words));
  }
};
if (found && words.length > 0) {
  new MutationObserver(complete).observe(found, { childList: true, subtree: true });
  complete();
}
