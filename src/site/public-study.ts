/** What the cached public pages share: the data study, and the headers and lifetime of the pages. */
import { LRUCache } from 'lru-cache';
import type { Roots } from '../contract/openapi/about.ts';
import type { Operation } from '../contract/operation.ts';
import type { Queryable } from '../db/database.ts';
import { publicDataStudy } from '../market/public/data-study.ts';
import { publicStamp } from '../market/public/source.ts';
import { page } from './framework/page.ts';
import { Links } from './links.ts';
import type { Study } from './study.ts';

export interface PublicParts {
  db: Queryable;
  /** Every public page shows figures of the study: read once while the data stays the same. */
  study: () => Promise<Study>;
  links: () => Links;
  /** Fields of every public page's declaration */
  common: {
    audience: 'public';
    maxAgeSeconds: number;
    headers: () => Record<string, string>;
    stamp: () => Promise<string>;
  };
}

/** The route of a page that shows only the study. */
export const studyPage =
  (path: string, view: (study: Study, links: Links) => string) =>
  ({ common, study, links }: PublicParts): Operation =>
    page({ ...common, path, make: async () => view(await study(), links()) });

/** @param roots known once the service listens */
export function publicParts(db: Queryable, roots: () => Roots): PublicParts {
  const links = () => new Links(roots());
  const studies = new LRUCache<string, Study>({ max: 1, fetchMethod: () => publicDataStudy(db) });
  return {
    db,
    links,
    study: async () => studies.forceFetch(await publicStamp(db)),
    common: {
      audience: 'public',
      // Browsers show new scores within an hour of a recomputation.
      maxAgeSeconds: 3600,
      headers: () => ({
        Link: `<${links().page('/llms.txt')}>; rel="describedby"; type="text/markdown"`,
      }),
      stamp: () => publicStamp(db),
    },
  };
}
