/**
 * Limits on style files and the files that they name. JSON is checked as bytes before a parser builds
 * objects from it: as objects, a megabyte of `{},{},…` takes a hundred times as much memory, and a schema
 * takes seconds to check them.
 */

const MB = 1024 ** 2;

export interface JsonBounds {
  bytes: number;
  /** Nesting. Recursive code must not overflow the stack. */
  depth: number;
  /** Number of objects, lists, and their entries */
  values: number;
}

/** Style documents and their TileJSON; published styles have up to 1 MB and 200 layers. */
export const STYLE: JsonBounds & { layers: number; sources: number } = {
  ...{ bytes: 8 * MB, depth: 64, values: 500_000 },
  ...{ layers: 1_000, sources: 100 },
};

/** Files that a style names. The totals apply to one picture. */
export const STYLE_ASSETS = {
  /** A file, or a tile of an archive, after decompression */
  bytes: 64 * MB,
  totalBytes: 256 * MB,
  files: 20_000,
  /** Pixels of all raster tiles and pictures together: 256 MB */
  rasterPixels: 67_108_864,
  /** Pixels of all images of a sprite together: 4096 x 4096. Images may share pixels of the sheet. */
  spritePixels: 16_777_216,
  geoJson: { bytes: 64 * MB, depth: 64, values: 10_000_000 } satisfies JsonBounds,
};

/** MBTiles archives are read into memory. PMTiles archives are read tile by tile and have no limit. */
export const MBTILES_BYTES = 512 * MB;

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
