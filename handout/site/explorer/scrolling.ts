// Scrolls the pictures to what matters, and not away from where the reader has scrolled himself.

/** @typedef {{x: number, y: number, width: number, height: number}} Frame */

const MARGIN = 30; // of what is around the box, where its plane does not fit

export class Scroller {
  /** @param {HTMLElement} scrolled what is scrolled */
  constructor(scrolled) {
    this.scrolled = scrolled;
    this.byReader = false;
    this.left = 0;
    this.top = 0;
    scrolled.addEventListener("scroll", () => {
      // An event comes after the scrolling: what this class did itself is where it left off.
      if (scrolled.scrollLeft !== this.left || scrolled.scrollTop !== this.top) this.byReader = true;
    });
  }

  /** Scrolls as little as shows a frame, but not under the reader's pointer. */
  reveal(/** @type {Frame} */ { x, y, width, height }) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scrolled;
    if (this.scrolled.matches(":hover")) return;
    this.to(
      Math.max(x + width - clientWidth, Math.min(scrollLeft, x)),
      Math.max(y + height - clientHeight, Math.min(scrollTop, y)),
    );
  }

  /** Begins the picture at a box: at its plane where all of that fits, else a little before the box. */
  beginAt(/** @type {{box: Frame, plane: Frame} | null} */ place) {
    if (!place || (this.byReader && this.shows(place.box))) return;
    const { clientWidth, clientHeight } = this.scrolled;
    const { box, plane } = place;
    this.to(
      plane.width <= clientWidth ? plane.x : box.x - MARGIN,
      plane.height <= clientHeight ? plane.y : box.y - MARGIN,
    );
    this.byReader = false;
  }

  shows(/** @type {Frame} */ { x, y, width, height }) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scrolled;
    return x < scrollLeft + clientWidth && x + width > scrollLeft && y < scrollTop + clientHeight && y + height > scrollTop;
  }

  to(/** @type {number} */ left, /** @type {number} */ top) {
    this.scrolled.scrollLeft = left;
    this.scrolled.scrollTop = top;
    // What the browser has made of it: there may be less to scroll.
    this.left = this.scrolled.scrollLeft;
    this.top = this.scrolled.scrollTop;
  }
}
