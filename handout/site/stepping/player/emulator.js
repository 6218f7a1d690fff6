// The emulator itself, compiled to WebAssembly: a launch goes in as text, its recording and what has come of it come out.
// grader/emulator/browser/run_launch.cpp is the program; it asks its surroundings what a WASI program asks
// (github.com/WebAssembly/WASI, "wasi_snapshot_preview1"), and gets a clock, three streams and settings.

const BAD_DESCRIPTOR = 8;

/** What the program needs of its surroundings. */
class Surroundings {
  /**
   * @param {Uint8Array} input
   * @param {string[]} settings "NAME=value"
   */
  constructor(input, settings) {
    this.input = input;
    this.settings = settings.map((setting) => new TextEncoder().encode(`${setting}\0`));
    this.taken = 0;
    /** @type {Uint8Array[][]} what was written, by descriptor */
    this.written = [[], [], []];
    /** @type {any} */
    this.memory = undefined;
  }

  view() {
    return new DataView(this.memory.buffer);
  }

  /** The pieces of memory in a list of addresses and sizes. */
  pieces(/** @type {number} */ list, /** @type {number} */ count) {
    const view = this.view();
    return Array.from(
      { length: count },
      (_, i) => new Uint8Array(this.memory.buffer, view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)),
    );
  }

  text(/** @type {number} */ descriptor) {
    const decoder = new TextDecoder();
    return this.written[descriptor].map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  }

  functions() {
    const known = {
      fd_read: (/** @type {number} */ fd, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ size) => {
        if (fd !== 0) return BAD_DESCRIPTOR;
        const before = this.taken;
        for (const piece of this.pieces(list, count)) {
          const part = this.input.subarray(this.taken, this.taken + piece.length);
          piece.set(part);
          this.taken += part.length;
        }
        this.view().setUint32(size, this.taken - before, true);
        return 0;
      },
      fd_write: (/** @type {number} */ fd, /** @type {number} */ list, /** @type {number} */ count, /** @type {number} */ size) => {
        if (fd !== 1 && fd !== 2) return BAD_DESCRIPTOR;
        const parts = this.pieces(list, count).map((piece) => piece.slice());
        this.written[fd].push(...parts);
        this.view().setUint32(size, parts.reduce((sum, part) => sum + part.length, 0), true);
        return 0;
      },
      // All three are streams of characters, of which nothing else is known.
      fd_fdstat_get: (/** @type {number} */ fd, /** @type {number} */ result) => {
        if (fd > 2) return BAD_DESCRIPTOR;
        new Uint8Array(this.memory.buffer, result, 24).fill(0);
        this.view().setUint8(result, 2);
        return 0;
      },
      environ_sizes_get: (/** @type {number} */ count, /** @type {number} */ bytes) => {
        this.view().setUint32(count, this.settings.length, true);
        this.view().setUint32(bytes, this.settings.reduce((sum, one) => sum + one.length, 0), true);
        return 0;
      },
      environ_get: (/** @type {number} */ list, /** @type {number} */ text) => {
        for (const [i, setting] of this.settings.entries()) {
          this.view().setUint32(list + 4 * i, text, true);
          new Uint8Array(this.memory.buffer, text, setting.length).set(setting);
          text += setting.length;
        }
        return 0;
      },
      args_sizes_get: (/** @type {number} */ count, /** @type {number} */ bytes) => {
        this.view().setUint32(count, 0, true);
        this.view().setUint32(bytes, 0, true);
        return 0;
      },
      clock_time_get: (/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ result) => {
        this.view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      proc_exit: (/** @type {number} */ status) => {
        throw new Exit(status);
      },
    };
    // There is nothing else: no file, no folder.
    return new Proxy(known, { get: (all, name) => Reflect.get(all, name) ?? (() => BAD_DESCRIPTOR) });
  }
}

class Exit {
  constructor(/** @type {number} */ status) {
    this.status = status;
  }
}

export class Emulator {
  /** From the compressed module as base64. */
  static async load(/** @type {string} */ text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Emulator(await WebAssembly.compile(await new Response(stream).arrayBuffer()));
  }

  constructor(/** @type {WebAssembly.Module} */ module) {
    this.module = module;
  }

  /**
   * Runs a launch, whose text is that of grader/emulator/browser/launch_text.h, under a timing policy of tmaemu's.
   * A launch that cannot run has no recording, and `refused` says why. `printed`: what the kernel has; `stillRunning`:
   * where it was when its time was over, if it was; `memory`: what its allocations hold when it has ended, in hexadecimal.
   * @returns {Promise<{recording: any, findings: import("./findings.js").Finding[], printed: string, stillRunning: string,
   *   refused: string, memory: string[]}>}
   */
  async run(/** @type {string} */ launch, /** @type {string} */ policy) {
    const settings = [`TMAEMU_ASYNC=${policy}`, "TMAEMU_RECORD=-", "TMAEMU_THREADS=1"];
    const surroundings = new Surroundings(new TextEncoder().encode(launch), settings);
    const imports = { wasi_snapshot_preview1: /** @type {any} */ (surroundings.functions()) };
    const instance = await WebAssembly.instantiate(this.module, imports);
    surroundings.memory = instance.exports.memory;
    let stopped = "";
    try {
      /** @type {any} */ (instance.exports)._start();
    } catch (error) {
      if (!(error instanceof Exit)) stopped = `The emulator has stopped: ${error}\n`;
    }
    // The recording, and what has come of the launch: grader/emulator/browser/run_launch.cpp.
    const [recording, outcome] = surroundings.text(1).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return {
      recording: outcome ? recording : null,
      findings: outcome?.findings ?? [],
      printed: outcome?.printed ?? "",
      stillRunning: outcome?.still_running ?? "",
      refused: surroundings.text(2) + stopped,
      memory: outcome?.memory ?? [],
    };
  }
}

/** The source that a launch's text brings, line by line. */
export function sourceOf(/** @type {string} */ launch) {
  const lines = launch.split("\n");
  const at = lines.findIndex((line) => line.startsWith("source "));
  return lines.slice(at + 1, at + 1 + Number(lines[at].split(" ")[2]));
}

/** What the launch's allocations hold before it, in hexadecimal. */
export function memoryOf(/** @type {string} */ launch) {
  const allocations = launch.slice(0, ptxStart(launch)).matchAll(/^memory \d+ (\d+) (\S+)$/gm);
  return Array.from(allocations, ([, size, text]) => (text === "-" ? "" : text).padEnd(2 * Number(size), "0"));
}

/** The launch with other PTX. */
export function withPtx(/** @type {string} */ launch, /** @type {string} */ ptx) {
  return launch.slice(0, ptxStart(launch)) + ptx;
}

export function ptxOf(/** @type {string} */ launch) {
  return launch.slice(ptxStart(launch));
}

function ptxStart(/** @type {string} */ launch) {
  const mark = "\nptx\n";
  return launch.indexOf(mark) + mark.length;
}
