/**
 * Limits on external input: request bodies and uploaded files. Like style files, it is checked as bytes,
 * before a parser builds objects from it.
 */
import type { JsonBounds } from '../render/document/bounds.ts';

export { excessOf, tooLarge, type JsonBounds } from '../render/document/bounds.ts';

const KB = 1024;
const MB = 1024 * KB;

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
 * Forms of pages, with more fields than any page has. A list of 5,000 ZIP codes takes 60 kB, and decoding a
 * megabyte of escapes takes 40 ms. Uploads may have more bytes.
 */
export const FORM: FormBounds = { bytes: 256 * KB, fields: 2_000 };

/**
 * Maximum number of fields in a form with files. Each becomes a stream, and 2,000 of them would block for
 * 100 ms.
 */
export const UPLOAD_FIELDS = 50;

/** Enough for a table of all US ZIP codes, or for the boundaries of a region. */
export const IMPORT_FILE_MB = 10;

/** GeoJSON in an import file: 700,000 positions. A worker reads it. */
export const IMPORT_GEOJSON: JsonBounds = {
  bytes: IMPORT_FILE_MB * MB,
  depth: 32,
  values: 2_500_000,
};
