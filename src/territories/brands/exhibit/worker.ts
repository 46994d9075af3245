/**
 * Worker thread that makes one exhibit, because hundreds of pages take seconds. `exhibit.ts` starts it, runs its
 * queries, and has its maps drawn.
 */
import type { ZipMap } from '../../../maps/cartography/zip-map.ts';
import { OtherVersionError } from '../../../base/db/imported-data.ts';
import { remoteQueries, type QueryRows } from '../../../base/db/remote-queries.ts';
import { ServiceError } from '../../../errors.ts';
import { serveJobs } from '../../../base/workers/serve.ts';
import { layOut, type ExhibitJob, type ExhibitQuestion, type MadeExhibit } from './lay-out.ts';

serveJobs<ExhibitJob, MadeExhibit, ExhibitQuestion, unknown>(
  (job, ask) =>
    layOut(
      remoteQueries((question) => ask(question) as Promise<QueryRows>),
      { drawMap: (_db, map) => ask({ map }) as Promise<ZipMap> },
      job,
    ),
  { ServiceError, OtherVersionError },
);
