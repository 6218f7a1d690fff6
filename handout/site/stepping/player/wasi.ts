// Runs a program that was compiled to WebAssembly for WASI (github.com/WebAssembly/WASI, "wasi_snapshot_preview1"). Of
// what such a program may ask of its surroundings it gets a clock, three streams and settings.

const BAD_DESCRIPTOR = 8;

/** What a program has written to its standard output and to its standard error, and why it did not come to its end. */
export interface Ended {
  output: string;
  errors: string;
  stopped: string;
}

/** `settings`: its environment, each as "NAME=value". */
export async function runProgram(module: WebAssembly.Module, input: string, settings: string[]): Promise<Ended> {
  const memory = (): ArrayBuffer => (instance.exports as ProgramExports).memory.buffer;
  const surroundings = new Surroundings(new TextEncoder().encode(input), settings, memory);
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: surroundings.functions() });
  let stopped = "";
  try {
    (instance.exports as ProgramExports)._start();
  } catch (error) {
    if (!(error instanceof Exit)) stopped = String(error);
  }
  return { output: surroundings.text(1), errors: surroundings.text(2), stopped };
}

interface ProgramExports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _start: () => void;
}

class Exit extends Error {}

class Surroundings {
  private readonly input: Uint8Array;
  private readonly settings: Uint8Array[];
  private readonly memory: () => ArrayBuffer;
  private taken = 0;
  /** What was written, by descriptor. */
  private readonly written: Uint8Array[][] = [[], [], []];

  /** `memory`: that of the program, which may move when it grows. */
  constructor(input: Uint8Array, settings: string[], memory: () => ArrayBuffer) {
    this.input = input;
    this.settings = settings.map((setting) => new TextEncoder().encode(`${setting}\0`));
    this.memory = memory;
  }

  text(descriptor: number) {
    const decoder = new TextDecoder();
    return this.written[descriptor].map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
  }

  functions() {
    const known: WebAssembly.ModuleImports = {
      fd_read: (fd: number, list: number, count: number, size: number) => {
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
      fd_write: (fd: number, list: number, count: number, size: number) => {
        if (fd !== 1 && fd !== 2) return BAD_DESCRIPTOR;
        const parts = this.pieces(list, count).map((piece) => piece.slice());
        this.written[fd].push(...parts);
        this.view().setUint32(size, sumOf(parts), true);
        return 0;
      },
      // All three are streams of characters, of which nothing else is known.
      fd_fdstat_get: (fd: number, result: number) => {
        if (fd > 2) return BAD_DESCRIPTOR;
        new Uint8Array(this.memory(), result, 24).fill(0);
        this.view().setUint8(result, 2);
        return 0;
      },
      environ_sizes_get: (count: number, bytes: number) => {
        this.view().setUint32(count, this.settings.length, true);
        this.view().setUint32(bytes, sumOf(this.settings), true);
        return 0;
      },
      environ_get: (list: number, text: number) => {
        for (const [i, setting] of this.settings.entries()) {
          this.view().setUint32(list + 4 * i, text, true);
          new Uint8Array(this.memory(), text, setting.length).set(setting);
          text += setting.length;
        }
        return 0;
      },
      args_sizes_get: (count: number, bytes: number) => {
        this.view().setUint32(count, 0, true);
        this.view().setUint32(bytes, 0, true);
        return 0;
      },
      clock_time_get: (_clock: number, _precision: bigint, result: number) => {
        this.view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      proc_exit: (status: number) => {
        throw new Exit(`with ${status}`);
      },
    };
    // There is nothing else: no file, no folder.
    return new Proxy(known, { get: (all, name) => Reflect.get(all, name) ?? (() => BAD_DESCRIPTOR) });
  }

  private view() {
    return new DataView(this.memory());
  }

  /** The pieces of memory in a list of addresses and sizes. */
  private pieces(list: number, count: number) {
    const view = this.view();
    const word = (i: number) => view.getUint32(list + 4 * i, true);
    return Array.from({ length: count }, (_, i) => new Uint8Array(this.memory(), word(2 * i), word(2 * i + 1)));
  }
}

function sumOf(parts: Uint8Array[]) {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
