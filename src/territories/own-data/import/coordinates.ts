/** Reads longitudes, latitudes, and points. Pure. */
import { whyOutside } from '../../../base/geodata/country.ts';

export type Point = readonly [lng: number, lat: number];

const DASHES = /[\u2010-\u2015\u2212]/g;
const SIDE = '([NSEW])?';
const DECIMALS = String.raw`\d+(?:[.,]\d*)?|[.,]\d+`;
/** Matches `-96.8`, `32,77°`, `96.8° W`, and `W 96.8`. */
const DEGREES = new RegExp(
  String.raw`^${SIDE}\s*([-+]?)(${DECIMALS})\s*(?:°|º|deg)?\s*${SIDE}$`,
  'i',
);
/** Matches `32°46'36"N`, `96° 47.82' W`, `-96 47 49`, and `32:46:36`. */
const MINUTES = new RegExp(
  String.raw`^${SIDE}\s*([-+]?)(\d+)\s*(°|º|deg|d|:|\s)\s*(\d+(?:[.,]\d+)?)\s*('|min|:|\s)?\s*(?:(\d+(?:[.,]\d+)?)\s*(?:"|sec)?)?\s*${SIDE}$`,
  'i',
);

/** Longest text of one coordinate, in characters */
const MAX_DEGREES = 60;

const numberOf = (text: string) => Number(text.replace(',', '.'));

/** Returns degrees, or null for any other text, and for one that may mean something else. */
export function readDegrees(given: string): number | null {
  // The patterns take long for long texts, and for many spaces.
  if (given.length > MAX_DEGREES) return null;
  const text = given
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(DASHES, '-')
    .replaceAll(/''|[″”“]/g, '"')
    .replaceAll(/[′’‘´]/g, "'");
  const [whole, before, sign, digits, ...rest] = DEGREES.exec(text) ?? MINUTES.exec(text) ?? [];
  if (whole === undefined) return null;
  const after = rest.at(-1);
  if (before !== undefined && after !== undefined) return null;
  const [separator, minutes, unit, seconds] = rest.length > 1 ? rest : [];
  if (minutes !== undefined) {
    const isBare = /[:\s]/.test(separator!) && (unit === undefined || /[:\s]/.test(unit));
    // `32 46` may also be a number with a space.
    if (isBare && seconds === undefined && !/[.,]/.test(minutes)) return null;
    if (seconds !== undefined && /[.,]/.test(minutes)) return null;
    if (numberOf(minutes) >= 60 || numberOf(seconds ?? '0') >= 60) return null;
  }
  const size = numberOf(digits!) + numberOf(minutes ?? '0') / 60 + numberOf(seconds ?? '0') / 3600;
  if (size > 180) return null;
  const side = (before ?? after)?.toUpperCase();
  if (side === undefined) return sign === '-' ? -size : size;
  if (side === 'S' || side === 'W') return -size;
  return sign === '-' ? null : size;
}

const WKT = /^(?:SRID=4326;\s*)?POINT\s*(?:Z?M?\s*)\(\s*(\S+)\s+([^\s)]+)[^()]*\)$/i;
const JSON_POINT = /^\{[^{]*"coordinates"\s*:\s*\[\s*([^\s,]+)\s*,\s*([^\s,\]]+)[^{]*\}$/;
/** Two coordinates in one text, each in parentheses of the pattern */
const PAIRS = [
  /^(.+?[NS])\s*[,;/]?\s*(.+[EW])$/i,
  /^(.+?[EW])\s*[,;/]?\s*(.+[NS])$/i,
  /^([NS].+?)\s*[,;/]?\s*([EW].+)$/i,
  /^([^;|]+)[;|]([^;|]+)$/,
  /^(\S+)\s*,\s+(\S+)$/,
  /^([^,]+),([^,]+)$/,
  /^([-+]?\d+,\d+),([-+]?\d+,\d+)$/,
  /^(\S+)\s+(\S+)$/,
];
const MAX_LENGTH = 200;
const isInCountry = ([lng, lat]: Point) => whyOutside([lng, lat, lng, lat]) === null;

/** Reads `32.78, -96.8`, `(-96.8 32.78)`, `POINT(-96.8 32.78)`, and `32°46'N 96°48'W`. Returns null for any other text. */
export function readPoint(given: string): Point | null {
  const text = given.trim();
  if (text.length > MAX_LENGTH || !/\d\D+\d/.test(text)) return null;
  const [, lng, lat] = WKT.exec(text) ?? JSON_POINT.exec(text) ?? [];
  if (lng !== undefined) return pointFrom(lng, lat!);
  const inner = text.replace(/^geo:/i, '').replace(/^[([]\s*(.*?)\s*[)\]]$/, '$1');
  for (const pattern of PAIRS) {
    const [, first, second] = pattern.exec(inner) ?? [];
    if (first === undefined) continue;
    const [a, b] = [readDegrees(first), readDegrees(second!)];
    // Two whole numbers may be anything.
    const isExact = [first, second!].every((part) => /\d[.,]\d|[°º'"]/.test(part));
    if (a === null || b === null || !isExact) continue;
    if (/[EW]/i.test(first) || /[NS]/i.test(second!)) return [a, b];
    if (/[NS]/i.test(first) || /[EW]/i.test(second!)) return [b, a];
    // Programs write either first. In this country, only one order is possible.
    const isLngFirst = !isInCountry([b, a]) && (isInCountry([a, b]) || Math.abs(a) > 90);
    return isLngFirst ? [a, b] : [b, a];
  }
  return null;
}

function pointFrom(lng: string, lat: string): Point | null {
  const [x, y] = [readDegrees(lng), readDegrees(lat)];
  return x === null || y === null ? null : [x, y];
}

/** Reads the cells of two columns, or of one with points. */
export const readCoordinates = (lng: string, lat: string, isPoint: boolean): Point | null =>
  isPoint ? readPoint(lng) : pointFrom(lng, lat);
