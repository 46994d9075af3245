/** Thread that routes one file of leads. `route-file.ts` starts it. */
import { remoteFunctions, serveJobs, type Call } from '../../base/workers/serve.ts';
import { gazetteerOf, type GazetteerColumns } from '../../data/market/gazetteer.ts';
import { ServiceError } from '../../errors.ts';
import type { UploadLookUps } from '../own-data/import/look-ups.ts';
import { openRows, type NextChunk } from '../own-data/import/open-rows.ts';
import type { UploadOptions } from '../own-data/import/types.ts';
import { answererOf } from './answer.ts';
import type { ServingFacts } from './facts.ts';
import { routeRows } from './route-rows.ts';

export interface RouteJob {
  options: UploadOptions;
  canGeocode: boolean;
  facts: ServingFacts;
  gazetteer: GazetteerColumns;
}

export interface RouteFunctions extends Required<UploadLookUps> {
  next: NextChunk;
  /** Takes the lines of the next rows, and waits while the client reads more slowly */
  write(lines: Uint8Array): Promise<void>;
}

serveJobs<RouteJob, number, Call, unknown>(
  async ({ options, canGeocode, facts, gazetteer: columns }, ask) => {
    const functions = remoteFunctions<RouteFunctions>(ask);
    const { next, write, knownZips, unknownReasons, zipsIn, boundaries, states } = functions;
    const geocode = canGeocode ? functions.geocode : undefined;
    const lookUps = { knownZips, unknownReasons, zipsIn, boundaries, states, geocode };
    const gazetteer = gazetteerOf(columns);
    const answer = answererOf(facts, gazetteer);
    const source = await openRows(next, options.sheet);
    return routeRows(source, options, lookUps, { answer, gazetteer }, (lines) =>
      write(new TextEncoder().encode(lines)),
    );
  },
  { ServiceError },
);
