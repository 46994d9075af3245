/** Refuses GeoJSON whose coordinates aren't longitude and latitude. Pure. */
import { badRequest } from '../errors.ts';
import { LNG_LAT_CRS } from '../spatial/crs.ts';
import { truncateInput } from './finding.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws ServiceError 400 for coordinates that aren't longitude and latitude */
export function refuseForeignCrs({ crs }: Fields): void {
  if (!isObject(crs)) return;
  const given = isObject(crs.properties) ? crs.properties.name : crs;
  const name = typeof given === 'string' ? given : describeJson(given);
  if (LNG_LAT_CRS.test(name)) return;
  throw badRequest(
    `The coordinates are in ${truncateInput(name)}. GeoJSON must use longitude and latitude (WGS 84): reproject the file.`,
  );
}

/** Returns the value as text. Parsed JSON can be nested too deeply for `JSON.stringify`. */
export function describeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return 'deeply nested JSON';
  }
}
