// Which hand-ins the table shows, and in which order.

export const STATES = [
  ["", "all"],
  ["unreviewed", "not reviewed"],
  ["reviewed", "reviewed"],
  ["request", "asks for a regrade"],
  ["pending", "not graded yet"],
  ["commented", "with comments"],
  ["absent", "nothing handed in"],
];

const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const IS = {
  unreviewed: (row) => row.review !== "reviewed",
  reviewed: (row) => row.review === "reviewed",
  request: (row) => row.request === "open",
  pending: (row) => row.pending > 0,
  commented: (row) => row.comments > 0,
};

function fitsPart(row, part, verdict) {
  const verdicts = Object.entries(row.parts).filter(([id]) => !part || id === part);
  return verdicts.some(([, [said]]) => !verdict || said === verdict);
}

export function fits(row, query) {
  const words = folded(query.search ?? "").split(/\s+/).filter(Boolean);
  const text = folded(`${row.name} ${row.student} ${row.section}`);
  if (!words.every((word) => text.includes(word))) return false;
  if (query.lab && row.lab !== query.lab) return false;
  if (query.section && row.section !== query.section) return false;
  if (row.absent) return !query.part && !query.verdict && !query.code && ["", "absent"].includes(query.state ?? "");
  if ((query.part || query.verdict) && !fitsPart(row, query.part, query.verdict)) return false;
  if (query.code && !row.codes.includes(query.code)) return false;
  return !query.state || (IS[query.state]?.(row) ?? false);
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function keyOf(row, by) {
  if (by === "points") return row.absent ? -1 : row.score;
  if (by === "comments") return row.comments ?? -1;
  if (by.startsWith("lab:")) return row.labs?.get(by.slice(4))?.score ?? -1;
  if (by.startsWith("part:")) return row.parts?.[by.slice(5)]?.[1] ?? -1;
  return String(row[by] ?? "");
}

export function sorted(rows, query) {
  const by = query.sort || "name";
  const sign = query.down ? -1 : 1;
  const compared = (one, other) => {
    const [first, second] = [keyOf(one, by), keyOf(other, by)];
    const order = typeof first === "number" ? first - second : words.compare(first, second);
    return sign * order || words.compare(one.name, other.name) || words.compare(one.lab ?? "", other.lab ?? "");
  };
  return [...rows].sort(compared);
}

export const allRows = (data) => [
  ...data.rows,
  ...data.without.map((row) => ({ ...row, absent: true, parts: {}, codes: [], review: "", request: "", score: 0 })),
];

// What the table shows, in its order.
export const shownRows = (data, query) => sorted(allRows(data).filter((row) => fits(row, query)), query);

const isAt = (row, query) => row.student === query.student && row.lab === query.lab;

// The first hand-in behind that of `query` that nobody has reviewed; from the end on, the first of all.
export function nextUnreviewed(data, query) {
  const rows = shownRows(data, { ...query, lab: query.only, state: "" }).filter((row) => !row.absent);
  const here = rows.findIndex((row) => isAt(row, query));
  const round = [...rows.slice(here + 1), ...rows.slice(0, Math.max(here, 0))];
  return round.find((row) => row.review !== "reviewed" && !isAt(row, query));
}
