/** The public pages, with what they are made of. */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Roots } from '../contract/openapi/about.ts';
import type { Queryable } from '../db/database.ts';
import { publicDataStudy } from '../market/public/data-study.ts';
import { publicMetroVertical } from '../market/public/metro-vertical.ts';
import { publicStamp } from '../market/public/source.ts';
import { publicVerticalSummary } from '../market/public/vertical.ts';
import { assetPages } from './assets.ts';
import { Links } from './links.ts';
import { maplibreAssets } from './maplibre.ts';
import { HTML, sitePage, type SitePage } from './page.ts';
import { dataStudyPage } from './data-study/view.ts';
import { homePage } from './home/view.ts';
import { methodologyPage } from './methodology/view.ts';
import { metroVerticalPage } from './metro-vertical/view.ts';
import { verticalPage } from './vertical/view.ts';
import type { Study } from './study.ts';

/** @param roots where people reach the site; known once the service listens */
export function publicPages(db: Queryable, roots: () => Roots): SitePage[] {
  const common = {
    type: HTML,
    // After a recomputation, browsers show the new scores within the hour.
    maxAgeSeconds: 3600,
    headers: () => ({
      Link: `<${links().page('/llms.txt')}>; rel="describedby"; type="text/markdown"`,
    }),
    stamp: () => publicStamp(db),
  };
  const study = sharedStudy(db);
  const links = () => new Links(roots());
  return [
    sitePage({ ...common, path: '/', make: async () => homePage(await study(), links()) }),
    sitePage({
      ...common,
      path: '/methodology',
      make: async () => methodologyPage(await study(), links()),
    }),
    sitePage({
      ...common,
      path: '/data-study',
      make: async () => dataStudyPage(await study(), links()),
    }),
    sitePage({
      ...common,
      path: '/verticals/{vertical}',
      params: z.object({ vertical: z.string() }),
      make: async ({ vertical }) =>
        verticalPage(await publicVerticalSummary(db, vertical), await study(), links()),
    }),
    sitePage({
      ...common,
      path: '/metros/{metroSlug}/{vertical}',
      params: z.object({ metroSlug: z.string(), vertical: z.string() }),
      make: async ({ metroSlug, vertical }) =>
        metroVerticalPage(
          await publicMetroVertical(db, metroSlug, vertical),
          await study(),
          links(),
        ),
    }),
    ...assetPages(),
    ...maplibreAssets(),
  ];
}

/** It is part of every page: read once for as long as the data are the same. */
function sharedStudy(db: Queryable): () => Promise<Study> {
  const studies = new LRUCache<string, Study>({ max: 1, fetchMethod: () => publicDataStudy(db) });
  return async () => studies.forceFetch(await publicStamp(db));
}
