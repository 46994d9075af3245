/** Shared parts of the cached public pages: the data study, and the headers and lifetime of the pages. */
import { cacheOf, type Cache } from '../../base/cache/cache.ts';
import type { Roots } from '../../base/contract/openapi/about.ts';
import type { Operation } from '../../base/contract/operation.ts';
import type { Database } from '../../base/db/database.ts';
import { importedData, type DataAt, type ImportedData } from '../../base/db/imported-data.ts';
import { publicDataStudy } from '../../data/market/public/data-study.ts';
import { PUBLIC_DATASETS } from '../../data/market/public/source.ts';
import { nationalSignals, type NationalSignals } from '../../data/scoring/national-signals.ts';
import { page } from './framework/page.ts';
import { Links } from './links.ts';
import type { Study } from './study.ts';

export interface PublicParts {
  /**
   * The study, from which every public page shows figures. It's read once while the data stays the same.
   */
  study: (at: DataAt) => Promise<Study>;
  links: () => Links;
  /** The signals behind the scores */
  national: () => Promise<NationalSignals>;
  /** Fields in the declarations of all public pages */
  common: {
    audience: 'public';
    maxAgeSeconds: number;
    headers: () => Record<string, string>;
    data: ImportedData;
  };
}

/** The route of a page that shows only the study. */
export const studyPage =
  (path: string, view: (study: Study, links: Links) => string) =>
  ({ common, study, links }: PublicParts): Operation =>
    page({ ...common, path, make: async (_, db) => view(await study(db), links()) });

const STUDY_BYTES = 1 << 20;
const studies = new WeakMap<Database, Cache<Study>>();

/** Returns the study. @param db the process's database, which caches it */
export function publicStudy(db: Database, at: DataAt): Promise<Study> {
  let cached = studies.get(db);
  if (!cached) studies.set(db, (cached = cacheOf(() => STUDY_BYTES)));
  return cached.find(at.stamp, () => publicDataStudy(at));
}

/** The data of the public pages */
export const publicData = (db: Database): ImportedData => importedData(db, PUBLIC_DATASETS);

/** @param roots available once the service listens */
export function publicParts(db: Database, roots: () => Roots): PublicParts {
  const links = () => new Links(roots());
  return {
    links,
    national: () => nationalSignals(db),
    study: (at) => publicStudy(db, at),
    common: {
      audience: 'public',
      // Browsers show new scores within an hour of their computation.
      maxAgeSeconds: 3600,
      headers: () => ({
        Link: `<${links().page('/llms.txt')}>; rel="describedby"; type="text/markdown"`,
      }),
      data: publicData(db),
    },
  };
}
