// The elements that the explorer has made, by their ids.

/** The element of an id without its "explorer-"; `kind` is what it has to be. */
export function byId(id: string): HTMLElement;
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E;
export function byId(id: string, kind = HTMLElement) {
  const found = document.getElementById(`explorer-${id}`);
  if (!(found instanceof kind)) throw new Error(`the explorer has no ${kind.name} of the id ${id}`);
  return found;
}
