/** Thread that reads one imported file. `check.ts` starts it. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ServiceError } from '../../../errors.ts';
import { remoteFunctions, serveJobs, type Call } from '../../../base/workers/serve.ts';
import type { ImportLookUps } from './look-ups.ts';
import type { ImportFile } from './read-file.ts';
import { readImport } from './read-import.ts';
import { reportCsv, summarizeImport, type ImportSummary } from './report.ts';

export interface CheckedFile {
  summary: ImportSummary;
  /** All findings as CSV, compressed with gzip */
  csv: Uint8Array;
}

serveJobs<ImportFile, CheckedFile, Call, unknown>(
  async (file, ask) => {
    const report = await readImport(remoteFunctions<ImportLookUps>(ask), file);
    const csv = await promisify(gzip)(reportCsv(report.place, report.findings));
    return { summary: summarizeImport(report), csv };
  },
  { ServiceError },
);
