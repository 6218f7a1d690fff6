// Elements, made of text that is never read as HTML.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key.includes("-") || key === "role" || key === "for" || key === "scope" || key === "colspan") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return made;
}

export const byId = (id) => document.getElementById(id);

export function points(value) {
  return String(Math.round(value * 100) / 100);
}

// What is not measured yet is no zero.
export const had = (said, value) => (said === "pending" ? "–" : points(value));

export function notice(text) {
  byId("notice").textContent = text;
}

export function verdict(name) {
  return element("span", { class: `verdict ${name.replaceAll(" ", "-")}` }, name);
}

export function chosen(label, value, options, changed) {
  const select = element("select", { onchange: () => changed(select.value) });
  select.append(...options.map(([name, text]) => element("option", { value: name }, text)));
  select.value = options.some(([name]) => name === value) ? value : options[0][0];
  return element("label", {}, element("span", {}, label), select);
}
