// A few words for making elements.

/**
 * An element with attributes and children.
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * An element of the page that this script has made itself, by its id.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
  return document.getElementById(`explorer-${id}`);
}
