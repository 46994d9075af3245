/**
 * Checks GeoJSON, and other JSON, as bytes before a parser builds objects from it: as objects, a megabyte of
 * `{},{},…` takes a hundred times as much memory, and a schema takes seconds to check them.
 */

export interface JsonBounds {
  bytes: number;
  /** Nesting. Recursive code must not overflow the stack. */
  depth: number;
  /** Number of objects, lists, and their entries */
  values: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Scans JSON without parsing it.
 * @param bytes UTF-8. Multibyte characters contain no bytes that JSON uses.
 * @returns the limit that the JSON exceeds, as the rest of a sentence, or null
 */
export function excessOf(bytes: Uint8Array, bounds: JsonBounds): string | null {
  if (bytes.length > bounds.bytes) return tooLarge(bounds.bytes);
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) inString = !inString;
    else if (inString) {
      if (byte === BACKSLASH) i++;
    } else if (byte === COMMA) values++;
    else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > bounds.depth) {
        return `is nested too deeply. The limit is ${bounds.depth} levels.`;
      }
    } else if (byte === BRACKET_END || byte === BRACE_END) depth--;
    if (values > bounds.values) {
      return `has too many values. The limit is ${formatLimit(bounds.values)}.`;
    }
  }
  return null;
}

export const tooLarge = (bytes: number) => `exceeds the limit of ${formatLimit(bytes)} bytes.`;

const formatLimit = (limit: number) => limit.toLocaleString('en');
