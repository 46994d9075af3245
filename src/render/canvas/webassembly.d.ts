/** The part of WebAssembly that the engine uses. TypeScript declares it only for browsers. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  const Module: new (bytes: Uint8Array) => Module;

  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  /** Takes its size in pages of 64 kB. */
  const Memory: new (size: { initial: number; maximum: number }) => Memory;

  interface Instance {
    readonly exports: unknown;
  }
  const Instance: new (module: Module, imports?: { env: { memory: Memory } }) => Instance;
}
