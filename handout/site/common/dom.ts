// A word for making elements.

type Tag = keyof HTMLElementTagNameMap;

/** An element with attributes and children. */
export function element<T extends Tag>(
  tag: T,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
