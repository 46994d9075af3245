/** Shared parts of the cached public pages: the data study, and the headers and lifetime of the pages. */
import { LRUCache } from 'lru-cache';
import type { Roots } from '../contract/openapi/about.ts';
import type { Operation } from '../contract/operation.ts';
import type { Database } from '../db/database.ts';
import { importedData, type DataAt, type ImportedData } from '../db/imported-data.ts';
import { publicDataStudy } from '../market/public/data-study.ts';
import { PUBLIC_DATASETS } from '../market/public/source.ts';
import { nationalSignals, type NationalSignals } from '../scoring/national-signals.ts';
import { page } from './framework/page.ts';
import { Links } from './links.ts';
import type { Study } from './study.ts';

export interface PublicParts {
  /**
   * The study, from which every public page shows figures. It's read once while the data stays the same.
   */
  study: (db: DataAt) => Promise<Study>;
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

/** @param roots available once the service listens */
export function publicParts(db: Database, roots: () => Roots): PublicParts {
  const links = () => new Links(roots());
  const studies = new LRUCache<string, Study, DataAt>({
    max: 1,
    fetchMethod: (_stamp, _old, { context: db }) => publicDataStudy(db),
  });
  return {
    links,
    national: () => nationalSignals(db),
    study: (db) => studies.forceFetch(db.stamp, { context: db }),
    common: {
      audience: 'public',
      // Browsers show new scores within an hour of their computation.
      maxAgeSeconds: 3600,
      headers: () => ({
        Link: `<${links().page('/llms.txt')}>; rel="describedby"; type="text/markdown"`,
      }),
      data: importedData(db, PUBLIC_DATASETS),
    },
  };
}
