/** Compares the public layer with its ceilings. Goals: at most twice the CPU of bare Koa, at most 1.2 times the SQL. */
import { expect, it } from 'vitest';
import { launchedMetros } from '../../src/data/market/metros.ts';
import { publicMetroVertical } from '../../src/data/market/public/metro-vertical.ts';
import { publicBestZips } from '../../src/data/market/public/ranking.ts';
import { publicZipProfile } from '../../src/data/market/public/zip.ts';
import { zipsOfMetro } from '../../src/data/market/zips.ts';
import { VERTICALS } from '../../src/data/scoring/verticals.ts';
import { testDatabase } from '../support/database.ts';
import { compareCachedWithKoa, service, compareUncachedWithSql } from './ceilings.ts';

const UNCACHED_ZIPS = 200;

const { db } = await testDatabase('sample');
const port = await service(db);

it.each([
  ['ZIP profile', '/public/zip/75201'],
  ['best ZIPs', '/public/metro/dallas-tx/vertical/roofing/best-zips'],
  ['vertical', '/public/vertical/roofing'],
  ['data study', '/public/data-study'],
])('cached: %s', async (name, path) => {
  expect(await compareCachedWithKoa(name, port, path)).toBeGreaterThan(0);
});

it('uncached: ZIP profile', async () => {
  const zips = await zipsOfMetro(db, 'chicago-il');
  const tries = zips
    .slice(0, UNCACHED_ZIPS)
    .map((zip) => ({ path: `/public/zip/${zip}`, sql: () => publicZipProfile(db, zip) }));
  expect(await compareUncachedWithSql('ZIP profile', port, tries)).toBeGreaterThan(0);
});

it.each([
  ['best ZIPs', '/best-zips', publicBestZips],
  ['metro and vertical', '', publicMetroVertical],
] as const)('uncached: %s', async (name, ending, answer) => {
  const tries = launchedMetros().flatMap(({ slug: metro }) =>
    VERTICALS.map(({ slug: vertical }) => ({
      path: `/public/metro/${metro}/vertical/${vertical}${ending}`,
      sql: () => answer(db, metro, vertical),
    })),
  );
  expect(await compareUncachedWithSql(name, port, tries)).toBeGreaterThan(0);
});
