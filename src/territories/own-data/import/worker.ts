/** Thread that reads one uploaded file. `read-upload.ts` starts it. */
import { ServiceError } from '../../../errors.ts';
import { remoteFunctions, serveJobs, type Call } from '../../../base/workers/serve.ts';
import type { UploadLookUps } from './look-ups.ts';
import { openRows, type NextChunk } from './open-rows.ts';
import { readCells, type CellsResult } from './read-cells.ts';
import { readRows } from './read-rows.ts';
import type { UploadOptions, UploadResult } from './types.ts';

export interface UploadJob {
  /** `amounts` by ZIP code, or the `cells` themselves */
  reads: 'amounts' | 'cells';
  options: UploadOptions;
  canGeocode: boolean;
  limits: { rows: number };
}

interface UploadFunctions extends Required<UploadLookUps> {
  next: NextChunk;
}

serveJobs<UploadJob, UploadResult | CellsResult, Call, unknown>(
  async ({ reads, options, canGeocode, limits }, ask) => {
    const functions = remoteFunctions<UploadFunctions>(ask);
    const { next, knownZips, unknownReasons, zipsIn, boundaries, states } = functions;
    const geocode = canGeocode ? functions.geocode : undefined;
    const lookUps = { knownZips, unknownReasons, zipsIn, boundaries, states, geocode };
    const { sheet } = options;
    const source = await openRows(next, sheet);
    return reads === 'cells'
      ? readCells(source, options, limits)
      : readRows(source, options, lookUps, limits);
  },
  { ServiceError },
);
