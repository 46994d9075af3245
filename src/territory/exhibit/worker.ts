/**
 * Worker thread that makes one exhibit. `exhibit.ts` starts it. Maps of the country and hundreds of pages take
 * seconds. It also draws the maps, with the canvas engine.
 */
import { mapsWith } from '../../cartography/map-renderer.ts';
import { ServiceError } from '../../errors.ts';
import { inProcessRenderer } from '../../render/engines.ts';
import { serveJobs } from '../../render/pool/serve.ts';
import { layOut, type ExhibitJob, type MadeExhibit } from './lay-out.ts';
import { remoteQueries, type QueryQuestion, type QueryRows } from '../../db/remote-queries.ts';

serveJobs<ExhibitJob, MadeExhibit, QueryQuestion, QueryRows>(
  (job, ask) => layOut(remoteQueries(ask), mapsWith(inProcessRenderer()), job),
  { ServiceError },
);
