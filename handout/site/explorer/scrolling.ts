// Scrolls the pictures to what matters, and not away from where the reader has scrolled himself.

export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MARGIN = 30; // of what is around the box, where its plane does not fit

export class Scroller {
  private readonly scrolled: HTMLElement;
  private byReader = false;
  private left = 0;
  private top = 0;

  constructor(scrolled: HTMLElement) {
    this.scrolled = scrolled;
    scrolled.addEventListener("scroll", () => {
      // An event comes after the scrolling: what this class did itself is where it left off.
      if (scrolled.scrollLeft !== this.left || scrolled.scrollTop !== this.top) this.byReader = true;
    });
  }

  /** Scrolls as little as shows a frame, but not under the reader's pointer. */
  reveal({ x, y, width, height }: Frame) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scrolled;
    if (this.scrolled.matches(":hover")) return;
    this.to(
      Math.max(x + width - clientWidth, Math.min(scrollLeft, x)),
      Math.max(y + height - clientHeight, Math.min(scrollTop, y)),
    );
  }

  /** Begins the picture at a box: at its plane where all of that fits, else a little before the box. */
  beginAt(place: { box: Frame; plane: Frame } | null) {
    if (!place || (this.byReader && this.shows(place.box))) return;
    const { clientWidth, clientHeight } = this.scrolled;
    const { box, plane } = place;
    this.to(
      plane.width <= clientWidth ? plane.x : box.x - MARGIN,
      plane.height <= clientHeight ? plane.y : box.y - MARGIN,
    );
    this.byReader = false;
  }

  shows({ x, y, width, height }: Frame) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scrolled;
    return x < scrollLeft + clientWidth && x + width > scrollLeft && y < scrollTop + clientHeight &&
      y + height > scrollTop;
  }

  to(left: number, top: number) {
    this.scrolled.scrollLeft = left;
    this.scrolled.scrollTop = top;
    // What the browser has made of it: there may be less to scroll.
    this.left = this.scrolled.scrollLeft;
    this.top = this.scrolled.scrollTop;
  }
}
