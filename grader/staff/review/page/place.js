// Where the page is, as its address says behind the #: a view, and what it shows. So a browser's way back works.

export const VIEWS = ["", "hand-in", "figures"];

export function placeNow() {
  const [view, query] = location.hash.slice(1).split("?");
  return { view: VIEWS.includes(view) ? view : "", query: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

export function addressOf(view, query) {
  const said = Object.entries(query).filter(([, value]) => value !== "" && value !== undefined);
  return `#${view}${said.length ? `?${new URLSearchParams(said)}` : ""}`;
}

export const go = (view, query) => {
  location.hash = addressOf(view, query);
};

// As go(), of what is no place to come back to, as each letter of a search.
export const say = (view, query) => history.replaceState(null, "", addressOf(view, query));
