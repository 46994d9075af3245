/** Shapefiles of lines are read in chunks. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import type { Feature, LineString, Position } from 'geojson';
import { expect, it } from 'vitest';
import { openLineShapes } from '../../../src/data/ingest/line-shapes.ts';
import type { Shapes } from '../../../src/data/ingest/shape-levels.ts';
import { toWkb } from '../../../src/data/ingest/topology.ts';
import { readWkb } from '../../../src/base/spatial/wkb.ts';
import { writeFile, writeShapefile, zipOf } from './files.ts';

const street = (i: number): Feature<LineString> => ({
  type: 'Feature',
  properties: { FULLNAME: i % 7 === 0 ? 'Río Grande Blvd' : `Street ${i}`, MTFCC: 'S1400' },
  geometry: {
    type: 'LineString',
    coordinates: [0, 1, 2].map((step) => [-97 + i / 8192 + (step % 2) / 64, 32 + step / 64]),
  },
});
const streets = Array.from({ length: 10_007 }, (_, i) => street(i));
const zip = writeFile('tl_2023_48113_roads.zip', await zipOf('tl_2023_48113_roads', streets));

const roundPosition = (position: Position) =>
  position.map((degrees) => Math.round(degrees * 1e6) / 1e6);

const shapesOf = ({ properties, levels: [finest] }: Shapes) =>
  properties.map((row, i) => {
    const geometry = readWkb(toWkb(finest!.geometries[i]!, finest!.arcs)!);
    return JSON.stringify([row['fullname'] ?? row['FULLNAME'], geometry]);
  });

it('reads every line of a zipped or plain shapefile, in order and with its attributes', async () => {
  const expected = streets.map(({ properties, geometry }) =>
    JSON.stringify([
      properties!['FULLNAME'],
      { type: 'MultiLineString', coordinates: [geometry.coordinates.map(roundPosition)] },
    ]),
  );
  for (const file of [zip, await writeShapefile(streets)]) {
    const chunks: Shapes[] = [];
    for await (const chunk of (await openLineShapes(file, 'mtfcc'))!) chunks.push(chunk);
    expect(chunks.map(({ properties }) => properties.length)).toEqual([10_000, 7]);
    expect(chunks.flatMap(shapesOf)).toEqual(expected);
  }
});

it('leaves files of other shapes and without a feature class to mapshaper', async () => {
  expect(await openLineShapes(writeFile('roads.geojson', '{}'), 'mtfcc')).toBeNull();
  expect(await openLineShapes(zip, 'featurecla')).toBeNull();
});

it.each<[string, (file: string) => void, RegExp]>([
  ['is cut off', (file) => truncateSync(file, 9_000), /\.zip file is damaged or incomplete/],
  [
    'has wrong bytes',
    (file) => writeFileSync(file, readFileSync(file).fill(7, 5_000, 5_100)),
    /damaged or incomplete. Download or export it again/,
  ],
])('refuses an archive that %s', async (_what, damage, why) => {
  const file = writeFile('tl_2023_48113_roads.zip', readFileSync(zip));
  damage(file);
  const read = async () => {
    for await (const _ of (await openLineShapes(file, 'mtfcc'))!);
  };
  await expect(read()).rejects.toThrow(why);
});

it('refuses a shapefile with fewer lines than it announces', async () => {
  const file = await writeShapefile(streets.slice(0, 50));
  truncateSync(file, 3_000);
  const read = async () => {
    for await (const _ of (await openLineShapes(file, 'mtfcc'))!);
  };
  await expect(read()).rejects.toThrow(/shapefile is damaged or incomplete/);
});
