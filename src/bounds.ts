/**
 * Limits on what comes from outside: request bodies, uploaded files, style files. They are checked on
 * the bytes before a parser builds objects from them, because a megabyte of `{},{},…` takes a hundred
 * times as much memory as objects, and a schema takes seconds to check them.
 */

const KB = 1024;
const MB = 1024 * KB;

export interface JsonBounds {
  bytes: number;
  /** Nesting. Recursive code must not overflow the stack. */
  depth: number;
  /** Number of objects, lists, and their entries */
  values: number;
}

export interface FormBounds {
  bytes: number;
  /** Each field costs more than its bytes. */
  fields: number;
}

/** Bodies of the API and of MCP. Our longest lists have 500 ZIP codes. */
export const JSON_BODY: JsonBounds = { bytes: MB, depth: 32, values: 10_000 };

/** Requests of connectors to the authorization server, which itself reads 56 kB. */
export const CONNECTOR_JSON: JsonBounds = { bytes: 56 * KB, depth: 8, values: 1_000 };
export const CONNECTOR_FORM: FormBounds = { bytes: 56 * KB, fields: 50 };

/**
 * Forms of pages; more fields than any of them has. A list of 5,000 ZIP codes takes 60 kB, and decoding a
 * megabyte of escapes 40 ms. An upload may have more bytes.
 */
export const FORM: FormBounds = { bytes: 256 * KB, fields: 2_000 };

/** Fields of a form with files. Each becomes a stream, and 2,000 of them block for 100 ms. */
export const UPLOAD_FIELDS = 50;

/** Enough for a table of all US ZIP codes, or for the boundaries of a region. */
export const IMPORT_FILE_MB = 10;

/** GeoJSON in an import file: 700,000 positions. A worker reads it. */
export const IMPORT_GEOJSON: JsonBounds = {
  bytes: IMPORT_FILE_MB * MB,
  depth: 32,
  values: 2_500_000,
};

/** Style documents and their TileJSON; published styles have up to 1 MB and 200 layers. */
export const STYLE: JsonBounds & { layers: number; sources: number } = {
  ...{ bytes: 8 * MB, depth: 64, values: 500_000 },
  ...{ layers: 1_000, sources: 100 },
};

/** Files that a style names. The totals are of one picture. */
export const STYLE_ASSETS = {
  /** A file, after decompression */
  bytes: 64 * MB,
  totalBytes: 256 * MB,
  files: 20_000,
  /** Of all raster tiles and pictures, decoded: 256 MB */
  rasterPixels: 67_108_864,
  /** Of all images of a sprite, which may share pixels of its sheet: 4096 x 4096 */
  spritePixels: 16_777_216,
  geoJson: { bytes: 64 * MB, depth: 64, values: 10_000_000 } satisfies JsonBounds,
};

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Scans JSON without parsing it.
 * @param bytes UTF-8. None of JSON's own characters occurs inside a multibyte character.
 * @returns the limit that it exceeds, as the rest of a sentence, or null
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
