import type { MultiPolygon, Point } from 'geojson';
import { expect, it } from 'vitest';
import { nearbySources, type NearbyZip } from '../../../src/maps/cartography/nearby-zips.ts';
import { ringOf, type Bbox } from '../../../src/base/spatial/bbox.ts';
import { fitBbox, Viewport } from '../../../src/base/spatial/camera.ts';

const VIEW: Bbox = [-97, 32.6, -96.7, 32.8];
const viewport = new Viewport(fitBbox(VIEW, 600, 400, 0), 600, 400);

const zip = (code: string, city: string | null, box: Bbox, isOwn = false): NearbyZip => ({
  zip: code,
  city,
  isOwn,
  geometry: { type: 'MultiPolygon', coordinates: [[ringOf(box)]] } satisfies MultiPolygon,
});
const own = zip('75201', 'Dallas', [-96.9, 32.68, -96.8, 32.74], true);
const east = zip('75001', 'Addison', [-96.8, 32.68, -96.72, 32.74]);
const west = zip('75002', 'Addison', [-96.93, 32.68, -96.9, 32.74]);
/** Mostly beyond the picture */
const south = zip('75003', 'Plano', [-96.9, 32.0, -96.8, 32.68]);

const namesOfNearby = (zips: readonly NearbyZip[], names: readonly string[] = []) =>
  nearbySources(zips, viewport, names).places.map(({ properties }) => properties!.name as string);

it('names each city once, unless the basemap names it', () => {
  expect(namesOfNearby([own, east, west, south]).toSorted()).toEqual([
    'Addison',
    'Dallas',
    'Plano',
  ]);
  expect(namesOfNearby([own, east, west, south], ['DALLAS', 'Plano'])).toEqual(['Addison']);
  expect(namesOfNearby([zip('75004', null, [-96.9, 32.68, -96.8, 32.74])])).toEqual([]);
});

it('names the territory’s city beside the territory if there is room', () => {
  const neighbor = zip('75005', 'Dallas', [-96.8, 32.68, -96.72, 32.74]);
  const [place] = nearbySources([own, neighbor], viewport, []).places;
  expect((place!.geometry as Point).coordinates[0]).toBeGreaterThan(-96.8);
});

it('puts names and labels where a ZIP code is in the picture, one above the other', () => {
  const { places, 'nearby-zip-labels': labels } = nearbySources([south], viewport, []);
  const y = ([feature]: typeof places) => viewport.y((feature!.geometry as Point).coordinates[1]!);
  expect(y(places)).toBeGreaterThan(0);
  expect(y(labels)).toBeLessThan(400);
  expect(y(labels) - y(places)).toBeGreaterThan(18);
});

it('labels and outlines only the ZIP codes of others', () => {
  const sources = nearbySources([own, east], viewport, []);
  for (const source of ['nearby-zips', 'nearby-zip-labels'] as const) {
    expect(sources[source].map(({ properties }) => properties!.zip)).toEqual(['75001']);
  }
});
