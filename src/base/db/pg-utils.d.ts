declare module 'pg/lib/utils.js' {
  /** Encodes a value as pg sends it: text, bytes, or null. */
  export function prepareValue(value: unknown): string | Buffer | null;
}
