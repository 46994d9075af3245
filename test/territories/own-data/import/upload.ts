/** Uploads of tests. */
import type { Database } from '../../../../src/base/db/database.ts';
import { uploadLookUps } from '../../../../src/territories/own-data/import/tenant-look-ups.ts';
import { readUpload } from '../../../../src/territories/own-data/import/read-upload.ts';
import type {
  ReadSet,
  UploadOptions,
  UploadResult,
} from '../../../../src/territories/own-data/import/types.ts';
import type { Geocoder } from '../../../../src/data/geocoding/geocoder.ts';

export interface Upload extends UploadOptions {
  /** Default: all at once */
  chunkBytes?: number;
  geocoder?: Geocoder | null;
  maxRows?: number;
}

export async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const uploading =
  (db: Database) =>
  (file: string | Uint8Array, upload: Upload = {}): Promise<UploadResult> => {
    const { chunkBytes = Infinity, geocoder = null, maxRows = 100_000, ...options } = upload;
    const bytes = typeof file === 'string' ? Buffer.from(file) : file;
    const chunks = chunksOf(bytes, Math.min(chunkBytes, Math.max(bytes.length, 1)));
    return readUpload(chunks, options, uploadLookUps({ common: db }, geocoder), { rows: maxRows });
  };

/** Amounts by ZIP code */
export const amountsOf = ({ zips, amounts }: ReadSet): Record<string, number> =>
  Object.fromEntries(zips.map((zip, i) => [zip, amounts[i]!]));

/** Line, ZIP code, and outcome of each row that needs attention */
export const attention = ({ findings }: UploadResult) =>
  findings.map(({ line, zip, outcome }) => [line, zip, outcome]);
