// The module of the explorers: the emulator's tensor maps and matrix descriptors, compiled to WebAssembly.

/** What the C++ library may ask of its surroundings. It has none here: no file, no environment. */
const NO_SYSTEM = {
  fd_close: () => 8, // "bad file descriptor"
  fd_seek: () => 8,
  fd_write: () => 8,
  environ_get: () => 0,
  environ_sizes_get: () => 0,
  proc_exit: (status: number) => {
    throw new Error(`the module has ended with ${status}`);
  },
};

declare global {
  /** The module in base64, from the script that stands before a page's own. */
  var TENSOR_MAP_WASM: string;
}

/** The page's own copy of the module. */
export function moduleOfPage() {
  return Uint8Array.from(atob(TENSOR_MAP_WASM), (letter) => letter.charCodeAt(0));
}

/** What a fresh instance of the module exports. */
export async function exportsOf<Exports extends WebAssembly.Exports>(wasm: BufferSource) {
  const { instance } = await WebAssembly.instantiate(wasm, { wasi_snapshot_preview1: NO_SYSTEM });
  const exports = instance.exports as Exports & { _initialize: () => void };
  exports._initialize();
  return exports;
}
