// Which keys a control keeps for itself.

/**
 * Whether a key already does something where it is pressed: what one writes in, chooses from or drags. Of circles, the
 * arrows up and down choose another one; those to the sides step, as everywhere, since a reader who has just taken a
 * line away wants to go on from there.
 */
export function isTaken(target: { matches(selectors: string): boolean }, key: string) {
  if (target.matches("input[type=radio]")) return key === "ArrowUp" || key === "ArrowDown";
  return target.matches("input, select, textarea");
}
