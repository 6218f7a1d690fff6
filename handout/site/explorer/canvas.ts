// A canvas as sharp as the screen.

/** Gives a canvas its size in the page, and as many points as the screen has there. */
export function prepare(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
) {
  const density = Math.min(devicePixelRatio || 1, 2);
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.scale(density, density);
  return context;
}
