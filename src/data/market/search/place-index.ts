/** Finds places by name or ZIP code, even if the name is incomplete or misspelled. Pure. */
import { letOthersRun } from '../../../base/workers/let-others-run.ts';
import type { Bbox } from '../../../base/spatial/bbox.ts';
import { findState } from '../../../base/geodata/states.ts';
import {
  countBits,
  letterBits,
  MAX_NAME,
  normalizeName,
  normalizeQuery,
  typingErrors,
} from './normalize.ts';

type PlaceKind = 'zip' | 'city' | 'county' | 'metro' | 'state';

export interface Place {
  kind: PlaceKind;
  /** `75201`; `Plano, TX`; `Dallas County, TX`; `Dallas-Fort Worth-Arlington, TX`; `Texas` */
  label: string;
  /** Distinguishes places with the same label: `Dallas, TX`, or `City, 62 ZIP codes` */
  detail: string;
  /** Null without a boundary */
  bbox: Bbox | null;
  /** USPS code; null if unknown, or for a metro in several states */
  state: string | null;
  /** Slug of the launched metro that contains most of it; null outside the launched metros */
  metro: string | null;
}

/** A place with its names, in the form that the index stores */
export interface IndexedPlace extends Place {
  /** Names without the state, the usual one first. ZIP codes have none. */
  names: readonly string[];
  /** Larger places come first among those with similar names */
  households: number;
}

export interface PlaceQuery {
  text: string;
  limit: number;
  /** Whether to find only places in launched metros */
  launchedOnly?: boolean;
}

export type PlaceIndex = (query: PlaceQuery) => Place[];

/** A normalized name and its places */
interface Name {
  text: string;
  letters: number;
  places: IndexedPlace[];
}

/** Similar names are added if fewer results match exactly. */
const FEW = 3;

/** @param places ZIP codes in ascending order, and other places in any order */
export async function indexPlaces(places: readonly IndexedPlace[]): Promise<PlaceIndex> {
  const zips = places.filter(({ kind }) => kind === 'zip');
  const names = await namesOf(places);
  return ({ text, limit, launchedOnly = false }) => {
    const isWanted = (place: Place) => !launchedOnly || place.metro !== null;
    const digits = zipDigits(text);
    if (digits !== undefined) return zipsStarting(zips, digits, limit, isWanted);
    const readings = readingsOf(text);
    const found = rank(names, readings, isWanted, startOrWord);
    // `Phenix` is a village in Virginia, so exact matches aren't enough.
    const more = found.length < FEW ? rank(names, readings, isWanted, similar) : [];
    const all = new Set([...found, ...more]);
    return [...all].slice(0, limit).map(withoutNames);
  };
}

/** Names per slice */
const SLICE = 500;

async function namesOf(places: readonly IndexedPlace[]): Promise<Name[]> {
  const names = new Map<string, Name>();
  for (const [i, place] of places.filter((place) => place.names.length > 0).entries()) {
    if (i % SLICE === 0) await letOthersRun();
    for (const text of new Set(place.names.map(normalizeName))) {
      const known = names.get(text);
      if (known) known.places.push(place);
      else if (text.length <= MAX_NAME) {
        names.set(text, { text, letters: letterBits(text), places: [place] });
      }
    }
  }
  return [...names.values()];
}

/** Returns the leading ZIP code digits of a query: `752`, `zip 75201`, `75201-1234`, `75201 Dallas`. */
export function zipDigits(text: string): string | undefined {
  const pattern =
    /^\s*(?:zip(?:\s*codes?)?\s*)?(?:(\d{1,5})|(\d{5})(?:-\d{0,4}|\s+[a-z .,'-]*))\s*$/i;
  const [, part, whole] = pattern.exec(text) ?? [];
  return part ?? whole;
}

function zipsStarting(
  zips: readonly IndexedPlace[],
  digits: string,
  limit: number,
  isWanted: (place: Place) => boolean,
): Place[] {
  let first = 0;
  for (let end = zips.length; first < end;) {
    const middle = (first + end) >> 1;
    if (zips[middle]!.label < digits) first = middle + 1;
    else end = middle;
  }
  const found: Place[] = [];
  for (let i = first; found.length < limit && zips[i]?.label.startsWith(digits); i++) {
    if (isWanted(zips[i]!)) found.push(withoutNames(zips[i]!));
  }
  return found;
}

/** An interpretation of a query */
interface Reading {
  name: string;
  letters: number;
  /** USPS code, if the query names a state */
  state?: string;
  kind?: PlaceKind;
}

const KIND_WORDS: Readonly<Record<string, PlaceKind>> = {
  county: 'county',
  parish: 'county',
  metro: 'metro',
  area: 'metro',
  city: 'city',
  state: 'state',
};

/** Names of states have up to five words: `United States Virgin Islands`. */
const MAX_STATE_WORDS = 5;

/**
 * Returns all interpretations of a query. `kansas city` may be the beginning of a name, or a city named
 * Kansas. `lake in` may be the beginning of a name, or Lake in Indiana.
 */
function readingsOf(text: string): Reading[] {
  const name = normalizeQuery(text.replace(/^\s*(?:the\s+)?(?:city|town|state)\s+of\s+/i, ''));
  if (name === '' || name.length > MAX_NAME) return [];
  const words = name.split(' ');
  const readings = [{ name, letters: letterBits(name) }];
  for (let count = 1; count <= MAX_STATE_WORDS && count < words.length; count++) {
    const state = findState(words.slice(-count).join(' '))?.usps;
    if (state) readings.push(reading(words.slice(0, -count), { state }));
  }
  return readings.flatMap((each: Reading) => {
    const [kindWord, ...rest] = each.name.split(' ').reverse();
    const kind = KIND_WORDS[kindWord!];
    const isKind = kind !== undefined && rest.length > 0;
    return isKind ? [each, reading(rest.reverse(), { ...each, kind })] : [each];
  });
}

function reading(words: readonly string[], rest: Omit<Reading, 'name' | 'letters'>): Reading {
  const name = words.join(' ');
  return { ...rest, name, letters: letterBits(name) };
}

/**
 * Results are ordered by the logarithm of a place's households plus these points. One point outweighs ten
 * times as many households.
 */
const POINTS = {
  exact: 2.5,
  beginning: 1,
  /** Matches the beginning of a later word in the name */
  word: -1,
  /** People rarely mistype the first letter. */
  otherInitial: -2,
  /** Outweighs the difference between a village and a metropolis */
  typingError: -3,
  /** The last word was interpreted as a kind of place */
  kindWord: -1,
  launched: 0.3,
} as const;

const KIND_POINTS: Readonly<Record<PlaceKind, number>> = {
  state: 1.5,
  city: 0.6,
  metro: 0.5,
  county: 0,
  zip: 0,
};

/** Returns the points of a name for an interpretation, or undefined if it doesn't match. */
type Match = (reading: Reading, name: Name) => number | undefined;

const startOrWord: Match = ({ name, letters }, { text, letters: known }) => {
  if ((letters & ~known) !== 0) return undefined;
  if (text === name) return POINTS.exact;
  if (text.startsWith(name)) return POINTS.beginning;
  return text.includes(` ${name}`) ? POINTS.word : undefined;
};

const similar: Match = ({ name, letters }, { text, letters: known }) => {
  const most = maxTypingErrors(name);
  // Each letter that is missing in the name is an error.
  if (most === 0 || countBits(letters & ~known) > most) return undefined;
  const errors = typingErrors(name, text, most);
  if (errors > most) return undefined;
  const isWhole = typingErrors(name, text, most, true) <= most;
  return (
    errors * POINTS.typingError +
    (isWhole ? POINTS.beginning : 0) +
    (text[0] === name[0] ? 0 : POINTS.otherInitial)
  );
};

/** Allowed typing errors by length. Short names resemble too many others. */
const maxTypingErrors = ({ length }: string) => (length < 4 ? 0 : length < 8 ? 1 : 2);

function rank(
  names: readonly Name[],
  readings: readonly Reading[],
  isWanted: (place: Place) => boolean,
  match: Match,
): IndexedPlace[] {
  const found = new Map<IndexedPlace, number>();
  for (const reading of readings) {
    for (const name of names) {
      const points = match(reading, name);
      if (points === undefined) continue;
      for (const place of name.places) {
        if (!fits(reading, place) || !isWanted(place)) continue;
        const all = points + placePoints(place) + (reading.kind ? POINTS.kindWord : 0);
        if (all > (found.get(place) ?? -Infinity)) found.set(place, all);
      }
    }
  }
  return Array.from(found)
    .sort(([a, aPoints], [b, bPoints]) => bPoints - aPoints || (a.label < b.label ? -1 : 1))
    .map(([place]) => place);
}

const fits = ({ state, kind }: Reading, place: Place) =>
  (state === undefined || place.state === state || isIn(place, state)) &&
  (kind === undefined || place.kind === kind);

/** `Chicago-Naperville-Elgin, IL-IN` */
const isIn = ({ kind, label }: Place, state: string) =>
  kind === 'metro' && /, ([A-Z-]+)$/.exec(label)?.[1]?.split('-').includes(state) === true;

const placePoints = ({ kind, households, metro }: IndexedPlace) =>
  Math.log10(households + 10) + KIND_POINTS[kind] + (metro === null ? 0 : POINTS.launched);

const withoutNames = ({ kind, label, detail, bbox, state, metro }: IndexedPlace): Place => ({
  kind,
  label,
  detail,
  bbox,
  state,
  metro,
});
