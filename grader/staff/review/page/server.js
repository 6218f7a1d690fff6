// What this machine's server is asked. The page's own address has the token.

export class Failed extends Error {}

async function answered(request) {
  let answer;
  try {
    answer = await request;
  } catch {
    throw new Failed("The server does not answer. Nothing is lost that it has taken: start `tmagrade review` again.");
  }
  const value = await answer.json();
  if (!answer.ok) throw new Failed(value.error);
  return value;
}

const asked = (name, query) => answered(fetch(`${name}?${new URLSearchParams(query)}`));

export const readClass = () => asked("class", {});
export const readHandIn = (student, lab) => asked("hand-in", { student, lab });
export const readFigures = (lab) => asked("figures", { lab });

// `saying` has an id of its own, so that what is sent twice is said once.
export function say(saying) {
  const headers = { "Content-Type": "application/json" };
  return answered(fetch("say", { method: "POST", headers, body: JSON.stringify(saying) }));
}

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
