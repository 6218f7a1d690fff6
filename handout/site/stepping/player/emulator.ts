// The emulator itself, compiled to WebAssembly: a launch goes in as text, its recording and what has come of it come out.
// grader/emulator/browser/run_launch.cpp is the program.

import {
  type Outcome,
  outcome as outcomeShape,
  recording as recordingShape,
  type RecordingMessage,
} from "./messages.ts";
import { runProgram } from "./wasi.ts";

/** What a launch did, or why it could not run. */
export type Done = { recording: RecordingMessage; outcome: Outcome } | { refused: string };

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
    const [recording, outcome] = output.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    if (!outcome) return { refused: errors + (stopped && `The emulator has stopped: ${stopped}\n`) };
    return {
      recording: recordingShape(recording, "the recording"),
      outcome: outcomeShape(outcome, "what has come of the launch"),
    };
  }
}
