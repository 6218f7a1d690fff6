// A canvas as sharp as the screen.

/** Gives a canvas its size in the page, and as many points as the screen has there. */
export function prepare(
  /** @type {HTMLCanvasElement} */ canvas,
  /** @type {number} */ width,
  /** @type {number} */ height,
) {
  const density = Math.min(devicePixelRatio || 1, 2);
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(density, density);
  return context;
}
