/** Worker thread that reads one imported file. `check.ts` starts it. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '../../errors.ts';
import { serveJobs } from '../../render/pool/serve.ts';
import { decodeText } from './decode-text.ts';
import type { AreaMatches, AreaOutline, ZipStates } from './look-ups.ts';
import { readImport } from './read-import.ts';
import { reportCsv } from './report-csv.ts';
import { summarizeImport, type ImportSummary } from './summary.ts';

export type Question = { areas: readonly AreaOutline[] } | { zips: readonly string[] };

export interface CheckedFile {
  summary: ImportSummary;
  /** All findings as CSV, compressed with gzip */
  csv: Uint8Array;
}

serveJobs<Uint8Array, CheckedFile, Question, unknown>(
  async (bytes, ask) => {
    const report = await readImport(
      {
        matchAreas: async (areas) => (await ask({ areas })) as AreaMatches,
        readZipStates: async (zips) => (await ask({ zips })) as ZipStates,
      },
      decodeText(bytes),
    );
    const csv = await promisify(gzip)(reportCsv(report.place, report.findings));
    return { summary: summarizeImport(report), csv };
  },
  { ServiceError },
);
