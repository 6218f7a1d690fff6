// The text of a launch, whose form grader/emulator/record/launch_text.h describes. The site's end with the source that a
// reader sees and the PTX.

/** The lines before the source, those of the source, and the PTX, with all that stands before it. */
function partsOf(launch: string) {
  const lines = launch.split("\n");
  const at = lines.findIndex((line) => line.startsWith("source "));
  const end = at + 1 + Number(lines[at].split(" ")[2]);
  const upTo = end + 1; // a line that says "ptx"
  return {
    head: lines.slice(0, at),
    source: lines.slice(at + 1, end),
    beforePtx: lines.slice(0, upTo).map((line) => `${line}\n`).join(""),
    ptx: lines.slice(upTo).join("\n"),
  };
}

/** The source that a launch's text brings, line by line. */
export function sourceOf(launch: string) {
  return partsOf(launch).source;
}

/** What the launch's allocations hold before it, in hexadecimal. */
export function memoryOf(launch: string) {
  const allocations = partsOf(launch).head.filter((line) => line.startsWith("memory ")).map((line) => line.split(" "));
  return allocations.map(([, , size, text]) => (text === "-" ? "" : text).padEnd(2 * Number(size), "0"));
}

/** The launch with other PTX. */
export function withPtx(launch: string, ptx: string) {
  return partsOf(launch).beforePtx + ptx;
}

export function ptxOf(launch: string) {
  return partsOf(launch).ptx;
}
