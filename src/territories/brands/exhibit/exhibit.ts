/**
 * A PDF of a territory to attach to a franchise agreement: totals, maps, all ZIP codes with figures, and sources.
 */
import type { Caller } from '../../../people/account/caller.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { MAP_DATASETS } from '../../../maps/cartography/zip-map.ts';
import type { Database } from '../../../base/db/database.ts';
import { boundariesAsOf } from '../../../base/db/boundaries-as-of.ts';
import { OtherVersionError } from '../../../base/db/imported-data.ts';
import { notFound, ServiceError, unavailable } from '../../../errors.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import { compiledModule } from '../../../base/workers/compiled-module.ts';
import { JobKind } from '../../../base/workers/once.ts';
import { momentWords } from '../../../people/account/days/as-of.ts';
import { recordTaken } from '../export/record-taken.ts';
import { brandingOf } from '../branding.ts';
import type { Brand } from '../brands.ts';
import type { ExhibitJob, ExhibitOptions, ExhibitQuestion, MadeExhibit } from './lay-out.ts';
import { answerQueries } from '../../../base/db/remote-queries.ts';
import { termsOf } from '../terms/terms.ts';
import { territoryState } from './state.ts';

export interface Exhibit extends MadeExhibit {
  /** The day that it documents, `2026-11-22` */
  day: string;
}

const exhibits = new JobKind<ExhibitJob, MadeExhibit, ExhibitQuestion>({
  module: compiledModule('territories/brands/exhibit/worker.ts'),
  // An exhibit of 32,989 ZIP codes has 871 pages.
  megabytes: 832,
  deadlineMs: 90_000,
  busy: 'Many exhibits are being made right now. Try again in a minute.',
  exceeded: (what, cause) =>
    unavailable(
      what === 'time'
        ? 'The exhibit took too long. Try again later, or split the brand in two.'
        : 'The exhibit needs too much memory. Split the brand in two, then try again.',
      { cause },
    ),
  refusals: { ServiceError, OtherVersionError },
});

/** Charges the work and the figures of the ZIP codes that it shows. @throws ServiceError 402, 409, 503 */
type ChargeExhibit = <T>(live: readonly string[], work: () => Promise<T>) => Promise<T>;

/**
 * Makes the exhibit of a brand, as of the caller's moment. The same state, data, and day give the same bytes.
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
  return exhibits.run(
    async (turn) => {
      const state = await territoryState(caller.tenant, brand);
      if (state.live.length + state.pending.length === 0) {
        throw notFound(`${brand.name} holds no ZIP codes yet. Add some, then make the exhibit.`);
      }
      const stated = await termsOf(caller.tenant, brand);
      const terms = new Map(stated.map((one) => [one.zip, one]));
      // Each step takes long for the whole country. Other requests run in between.
      await letOthersRun();
      const past = await momentWords(caller.tenant);
      const day = past?.day ?? new Date().toISOString().slice(0, 10);
      const when = past
        ? `at ${past.isWholeDay ? `the end of ${past.words}` : past.words}`
        : `on ${day} (UTC)`;
      const source = renderer.data(boundariesAsOf(db, caller.tenant.moment), [
        ...MAP_DATASETS,
        'demographics',
      ]);
      const organization = caller.organization.name;
      const look = await brandingOf(caller.tenant, brand);
      const zips = [...state.live, ...state.pending.map(({ zip }) => zip)].toSorted();
      const documented = { organization, brand: brand.name, look, state, terms, day, when };
      const job = { ...documented, ...options };
      const make = async () => {
        const file = await source.read((data) => {
          const query = answerQueries(data);
          // The maps are drawn side by side, by threads that have compiled the engine and know the basemap.
          return turn.inThread(job, (question) =>
            'map' in question ? renderer.drawMap(data, question.map, turn.signal) : query(question),
          );
        });
        await recordTaken(caller, 'exhibit_made', `Made an exhibit of ${brand.name}`, zips, brand);
        return file;
      };
      const made = await charge(state.live, make);
      return { ...made, day };
    },
    { signal },
  );
}
