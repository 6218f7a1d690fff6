// Colors of the pictures, for the page's theme.

/** Whether the page is dark now, by its button or else by the system. */
function isDark() {
  const theme = document.body.dataset.theme;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

export interface Palette {
  paper: string;
  ink: string;
  grid: string;
  outside: string;
  hatch: string;
  label: string; // on a colored cell
  box: string; // the outline of the box
  wheel: (index: number, count: number) => string; // the color of one of `count` things
}

export function palette(): Palette {
  const dark = isDark();
  return {
    paper: dark ? "#23272e" : "#f1f3f6",
    ink: dark ? "#cfd0d0" : "#333a44",
    grid: dark ? "#3a404a" : "#ffffff",
    outside: dark ? "#191c21" : "#fafbfc",
    hatch: dark ? "#6b7280" : "#a3abb7",
    label: dark ? "#0e1116" : "#1c2330",
    box: dark ? "#ffffff" : "#11161d",
    wheel: (index, count) => {
      // Not the whole wheel: the last color is not to look like the first.
      const hue = (25 + (325 * index) / count) % 360;
      return dark ? `oklch(0.72 0.14 ${hue})` : `oklch(0.8 0.13 ${hue})`;
    },
  };
}

/** Calls `redraw` whenever the theme changes. */
export function onThemeChange(redraw: () => void) {
  new MutationObserver(redraw).observe(document.body, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

/** Diagonal lines, from the left up or, `fallen`, from the left down. */
export function hatch(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  color: string,
  fallen = false,
) {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.beginPath();
  context.strokeStyle = color;
  context.lineWidth = 1;
  for (let offset = -height; offset < width; offset += 5) {
    context.moveTo(x + offset, fallen ? y : y + height);
    context.lineTo(x + offset + height, fallen ? y + height : y);
  }
  context.stroke();
  context.restore();
}
