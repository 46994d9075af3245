/** Small input files with a row of square ZIP codes in Dallas. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature, Polygon, Position } from 'geojson';
import mapshaper from 'mapshaper';
import { testFolder } from '../../support/database.ts';

/** A square of 0.1 degrees; `column` counts eastward from longitude -97. */
export function square(column: number): Position[] {
  const west = -97 + column / 10;
  const east = -97 + (column + 1) / 10;
  return [
    [west, 32.7],
    [west, 32.8],
    [east, 32.8],
    [east, 32.7],
    [west, 32.7],
  ];
}

export function zipFeature(
  zip: unknown,
  ring: Position[],
  properties: Record<string, unknown> = {},
): Feature<Polygon> {
  return {
    type: 'Feature',
    properties: { ZCTA5CE20: zip, ...properties },
    geometry: { type: 'Polygon', coordinates: [ring] },
  };
}

/** ZIP codes 75201, 75202, … side by side. */
export const row = (count: number) =>
  Array.from({ length: count }, (_, i) => zipFeature(String(75201 + i), square(i)));

/** Writes a file to a new folder. @returns its path */
export function writeFile(name: string, content: string | Buffer | object): string {
  const file = join(testFolder(), name);
  const raw = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(file, raw ? content : JSON.stringify(content));
  return file;
}

export const collection = (features: unknown[], more: object = {}) => ({
  type: 'FeatureCollection',
  ...more,
  features,
});

/** Writes a shapefile with its companion files, optionally reprojected. @returns the `.shp` */
export async function writeShapefile(features: Feature[], projection?: string): Promise<string> {
  const files = await mapshaper.applyCommands(
    ['-i', 'in.json', ...(projection ? ['-proj', projection] : []), '-o', 'zips.shp'],
    { 'in.json': collection(features) },
  );
  const folder = testFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return join(folder, 'zips.shp');
}

/** Writes a zipped shapefile, as the Census Bureau publishes it. */
export async function writeZip(features: Feature[]): Promise<string> {
  return writeFile('zips.zip', await zipOf('zips', features));
}

/** Returns a zipped shapefile. @param stem name of its parts without extension */
export async function zipOf(stem: string, features: Feature[]): Promise<Buffer> {
  const files = await mapshaper.applyCommands(
    ['-i', 'in.json', '-o', `${stem}.shp`, 'zip', 'format=shapefile'],
    { 'in.json': collection(features) },
  );
  return Buffer.from(Object.values(files)[0] as Buffer);
}
