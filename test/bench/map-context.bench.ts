/**
 * Compares /map-context with two ceilings: cached, with a bare Koa handler that sends the same bytes;
 * uncached, with its SQL alone.
 */
import { expect, it } from 'vitest';
import { layersInView } from '../../src/data/basemap/map-context.ts';
import type { Bbox } from '../../src/base/spatial/bbox.ts';
import { testDatabase } from '../support/database.ts';
import { compareCachedWithKoa, service, compareUncachedWithSql } from './ceilings.ts';

const UNCACHED_VIEWS = 30;

const VIEWS: { name: string; bbox: Bbox; zoom: number }[] = [
  { name: 'world, zoom 0', bbox: [-180, -85, 180, 85], zoom: 0 },
  { name: 'country, zoom 4', bbox: [-125, 24, -66, 50], zoom: 4 },
  { name: 'metro, zoom 10', bbox: [-97.5, 32.5, -96.5, 33.1], zoom: 10 },
  { name: 'street, zoom 18', bbox: [-96.81, 32.77, -96.808, 32.771], zoom: 18 },
];

const { db } = await testDatabase('sample');
const port = await service(db);

const pathOf = (bbox: Bbox, zoom: number) => `/map-context?bbox=${bbox.join()}&zoom=${zoom}`;

it.each(VIEWS)('cached: $name', async ({ name, bbox, zoom }) => {
  expect(await compareCachedWithKoa(name, port, pathOf(bbox, zoom))).toBeGreaterThan(0);
});

it.each(VIEWS)('uncached: $name', async ({ name, bbox, zoom }) => {
  const tries = Array.from({ length: UNCACHED_VIEWS }, (_, i) => {
    // A slightly different view, so that it isn't cached.
    const inset = (i + 1) * 1e-6;
    const view = bbox.map((edge, at) => edge + (at < 2 ? inset : -inset)) as Bbox;
    return { path: pathOf(view, zoom), sql: () => layersInView(db, view, zoom) };
  });
  expect(await compareUncachedWithSql(name, port, tries)).toBeGreaterThan(0);
});
