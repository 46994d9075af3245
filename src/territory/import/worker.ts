/** Worker thread that reads one imported file. `check.ts` starts it. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '../../errors.ts';
import { serveJobs } from '../../render/pool/serve.ts';
import { decodeText } from '../../text/decode-text.ts';
import type { AreaMatches, AreaOutline, ZipStates } from './look-ups.ts';
import { readImport } from './read-import.ts';
import type { ZipRange } from '../../lists/read-zip.ts';
import { reportCsv } from './report-csv.ts';
import { summarizeImport, type ImportSummary } from './summary.ts';

export interface ImportFile {
  bytes: Uint8Array;
  /** Heading or number of the column with ZIP codes, if a table has several */
  column?: string | undefined;
}

export type Question =
  | { areas: readonly AreaOutline[] }
  | { zips: readonly string[] }
  | { ranges: readonly ZipRange[] };

export interface CheckedFile {
  summary: ImportSummary;
  /** All findings as CSV, compressed with gzip */
  csv: Uint8Array;
}

serveJobs<ImportFile, CheckedFile, Question, unknown>(
  async ({ bytes, column }, ask) => {
    const report = await readImport(
      {
        matchAreas: async (areas) => (await ask({ areas })) as AreaMatches,
        readZipStates: async (zips) => (await ask({ zips })) as ZipStates,
        zipsInRanges: async (ranges) => (await ask({ ranges })) as string[],
      },
      decodeText(bytes),
      column,
    );
    const csv = await promisify(gzip)(reportCsv(report.place, report.findings));
    return { summary: summarizeImport(report), csv };
  },
  { ServiceError },
);
