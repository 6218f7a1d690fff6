// The emulator itself, compiled to WebAssembly: a launch goes in as text, its recording and what has come of it come out.
// grader/emulator/browser/run_launch.cpp is the program.

import { type Finding, line as message, type RecordingMessage } from "./messages.ts";
import { runProgram } from "./wasi.ts";

/** What a launch did. One that cannot run has no recording, and `refused` says why. */
export interface Done extends Outcome {
  recording: RecordingMessage | null;
  refused: string;
  /** What its allocations hold when it has ended, in hexadecimal. */
  memory: string[];
}

/** What has come of it beside its result. */
export interface Outcome {
  findings: Finding[];
  printed: string;
  /** Where the kernel was when its time was over, if it was. */
  stillRunning: string;
}

export class Emulator {
  private readonly module: WebAssembly.Module;

  /** From the compressed module as base64. */
  static async load(text: string) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Emulator(await WebAssembly.compile(await new Response(stream).arrayBuffer()));
  }

  constructor(module: WebAssembly.Module) {
    this.module = module;
  }

  /** Runs a launch under a timing policy of tmaemu's. */
  async run(launch: string, policy: string): Promise<Done> {
    const settings = [`TMAEMU_ASYNC=${policy}`, "TMAEMU_RECORD=-", "TMAEMU_THREADS=1"];
    const { output, errors, stopped } = await runProgram(this.module, launch, settings);
    const lines = output.split("\n").filter(Boolean).map((line) => message(JSON.parse(line), "what the emulator says"));
    const outcome = lines.find((line) => "memory" in line);
    return {
      recording: outcome ? lines.find((line) => "steps" in line) ?? null : null,
      findings: outcome?.findings ?? [],
      printed: outcome?.printed ?? "",
      stillRunning: outcome?.still_running ?? "",
      refused: errors + (stopped && `The emulator has stopped: ${stopped}\n`),
      memory: outcome?.memory ?? [],
    };
  }
}
