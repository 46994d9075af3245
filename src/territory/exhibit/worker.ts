/** Worker thread that lays out one exhibit. `exhibit.ts` starts it. */
import { serveJobs } from '../../render/pool/serve.ts';
import type { ExhibitContent, Rows, RowsQuestion } from './content.ts';
import { writePdf } from './write-pdf.ts';

serveJobs<ExhibitContent, Uint8Array[], RowsQuestion, Rows>((content, ask) =>
  writePdf(content, (table, from) => ask({ table, from })),
);
