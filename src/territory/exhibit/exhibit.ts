/**
 * A PDF of a territory to attach to a franchise agreement: totals, maps, all ZIP codes with figures, and sources.
 */
import pLimit from 'p-limit';
import type { Caller } from '../../account/caller.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import { MAP_DATASETS } from '../../cartography/zip-map.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { OtherVersionError } from '../../db/imported-data.ts';
import { notFound, ServiceError, unavailable } from '../../errors.ts';
import { letOthersRun } from '../../contract/let-others-run.ts';
import { compiledModule } from '../../geodata/project-files.ts';
import { threadChannel } from '../../render/pool/channel.ts';
import { LostWorkerError } from '../../render/pool/errors.ts';
import { PoolWorker } from '../../render/pool/pool-worker.ts';
import { brandingOf } from '../branding.ts';
import type { Brand } from '../brands.ts';
import type { ExhibitJob, ExhibitOptions, ExhibitQuestion, MadeExhibit } from './lay-out.ts';
import { answerQueries } from '../../db/remote-queries.ts';
import { territoryState } from './state.ts';

export interface Exhibit extends MadeExhibit {
  /** `2026-11-22`, in UTC */
  day: string;
}

/** An exhibit of 32,989 ZIP codes has 871 pages. */
const HEAP = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 768 };
const DEADLINE_MS = 90_000;
const MAX_RUNNING = 2;
const MAX_WAITING = 8;
const running = pLimit(MAX_RUNNING);

/** Charges the work and the figures of the ZIP codes that it shows. @throws ServiceError 402, 409, 503 */
export type ChargeExhibit = <T>(live: readonly string[], work: () => Promise<T>) => Promise<T>;

/**
 * Makes the exhibit of a brand. The same state, data, and day give the same bytes.
 * @throws ServiceError 404 for a brand that holds no ZIP code; errors of `charge`; 503 while too many exhibits wait,
 *   or if it takes too long
 */
export async function makeExhibit(
  db: Database,
  renderer: MapRenderer,
  caller: Caller,
  brand: Brand,
  options: ExhibitOptions,
  charge: ChargeExhibit,
  signal?: AbortSignal,
): Promise<Exhibit> {
  if (running.pendingCount >= MAX_WAITING) {
    throw unavailable('Many exhibits are being made right now. Try again in a minute.');
  }
  const late = AbortSignal.timeout(DEADLINE_MS);
  const stop = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    return await running(async () => {
      stop.throwIfAborted();
      const state = await territoryState(caller.tenant, brand);
      if (state.live.length + state.pending.length === 0) {
        throw notFound(`${brand.name} holds no ZIP codes yet. Add some, then make the exhibit.`);
      }
      // Each step takes up to 10 ms for the whole country. Other requests run in between.
      await letOthersRun();
      const day = new Date().toISOString().slice(0, 10);
      const source = renderer.data(db, [...MAP_DATASETS, 'demographics']);
      const organization = caller.organization.name;
      const look = await brandingOf(caller.tenant, brand);
      const job = { organization, brand: brand.name, look, state, day, ...options };
      const make = () => source.read((data) => makeInWorker(data, renderer, job, stop));
      const made = await charge(state.live, make);
      return { ...made, day };
    });
  } catch (error) {
    if (!late.aborted) throw error;
    throw unavailable('The exhibit took too long. Try again later, or split the brand in two.', {
      cause: error,
    });
  }
}

async function makeInWorker(
  data: Queryable,
  renderer: MapRenderer,
  job: ExhibitJob,
  signal: AbortSignal,
): Promise<MadeExhibit> {
  const query = answerQueries(data);
  // The maps are drawn side by side, by threads that have compiled the engine and know the basemap.
  const answer = (question: ExhibitQuestion) =>
    'map' in question ? renderer.drawMap(data, question.map, signal) : query(question);
  const worker = new PoolWorker<ExhibitJob, MadeExhibit>(
    threadChannel(compiledModule('territory/exhibit/worker.ts'), HEAP),
    (question) => answer(question as ExhibitQuestion),
    { ServiceError, OtherVersionError },
  );
  const stop = () => void worker.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await worker.run(job);
  } catch (error) {
    if (signal.aborted || !(error instanceof LostWorkerError)) throw error;
    throw unavailable(
      'The exhibit needs too much memory. Split the brand in two, then try again.',
      {
        cause: error,
      },
    );
  } finally {
    signal.removeEventListener('abort', stop);
    void worker.stop();
  }
}
