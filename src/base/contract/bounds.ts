/**
 * Limits on external input: request bodies and uploaded files. Like style files, it is checked as bytes,
 * before a parser builds objects from it.
 */
import type { JsonBounds } from '../spatial/json-bounds.ts';

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
 * Forms of pages, with more fields than any page has. A list of 5,000 ZIP codes takes 60 kB. Uploads may have
 * more bytes.
 */
export const FORM: FormBounds = { bytes: 256 * KB, fields: 2_000 };

/** Maximum number of fields in a form with files. Each becomes a stream, and many of them would block the process. */
export const UPLOAD_FIELDS = 50;

/** Enough for a table of all US ZIP codes, or for the boundaries of a region. */
export const IMPORT_FILE_MB = 10;

/** Formats that a file picker offers, for imports of territories and of own data */
export const ACCEPTED_FILES =
  '.csv,.tsv,.txt,.xlsx,.json,.geojson,.geojsonl,.ndjson,.kml,.kmz,.zip,text/*,application/json';
