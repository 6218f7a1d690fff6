// What the players' buttons show.

// In a square of 16. Drawn, since not every font has these signs.
const SIGNS = {
  start: "M2 2h2v12h-2zM14 2v12L5 8z",
  eventBefore: "M8 2v12L1 8zM15 2v12L8 8z",
  back: "M12 2v12L3 8z",
  forward: "M4 2v12l9-6z",
  eventAfter: "M1 2v12l7-6zM8 2v12l7-6z",
  end: "M2 2v12l9-6zM12 2h2v12h-2z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
};

export function sign(name: keyof typeof SIGNS): SVGElement {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", class: "stepping-sign", "aria-hidden": "true" })) {
    picture.setAttribute(key, value);
  }
  path.setAttribute("d", SIGNS[name]);
  picture.append(path);
  return picture;
}
