/** Finds the ZIP codes of rows: by ZIP code, else by coordinates, else by address. */
import pLimit from 'p-limit';
import { whyOutside } from '../../geodata/country.ts';
import { truncateInput } from '../../lists/finding.ts';
import { readZip, type ReadOneZip } from '../../lists/read-zip.ts';
import type { Row } from '../../lists/rows.ts';
import { asSentence, formatCount } from '../../text/words.ts';
import { readDegrees } from './coordinates.ts';
import type { UploadLookUps } from './look-ups.ts';
import type { Plan } from './plan.ts';
import { copied, slotOf, slotOfThree } from './tally.ts';
import type { Finding } from './types.ts';
import { ZipAreas, type Point } from './zip-areas.ts';

/** The slot of a row that is clearly placed, or what is wrong with it */
export type Placement = number | UncertainPlacement;

export interface UncertainPlacement extends Omit<Finding, 'line'> {
  outcome: Exclude<Finding['outcome'], 'no_amount'>;
  /** Of a guess; null for a row without a place */
  slot: number | null;
  /** Three digits, which may be a ZIP code that lost two zeros */
  three?: string;
}

export const MAX_ADDRESSES = 5_000;
/** While two files are read, two more people can search for addresses: `outside/breaker.ts`. */
const GEOCODED_AT_ONCE = 3;
/** Geocoders refuse longer texts. */
const MAX_ADDRESS_LENGTH = 300;
/** Different texts of ZIP codes to remember. Reading one again takes some microseconds. */
const MAX_READINGS = 100_000;

/** Longer texts aren't remembered. */
const MAX_KEPT_LENGTH = 100;

type Located = { at: number; point: Point; given: string; guess: string | null };

export class Placer {
  /** Number of rows placed by coordinates or an address because their ZIP code or coordinates are missing */
  fallbacks = 0;
  /** Whether a ZIP code has lost its leading zero. Then, three digits have lost two. */
  lostZeros = false;
  readonly #places: Plan['places'];
  readonly #isKnown: Uint8Array;
  readonly #lookUps: UploadLookUps;
  readonly #areas: ZipAreas;
  readonly #readings = new Map<string, ReadOneZip>();
  readonly #addresses = new Map<string, Point | null>();

  /** @param isKnown 1 for each slot of a ZIP code in the imported data */
  constructor(places: Plan['places'], isKnown: Uint8Array, lookUps: UploadLookUps) {
    this.#places = places;
    this.#isKnown = isKnown;
    this.#lookUps = lookUps;
    this.#areas = new ZipAreas(lookUps);
  }

  /** Returns the places of the rows, in the same order. @throws ServiceError 503 if the geocoder fails */
  async place(rows: readonly Row[]): Promise<Placement[]> {
    const { zip, coordinates, address } = this.#places;
    const placements: Placement[] = [];
    const located: Located[] = [];
    const addressed: { at: number; address: string; guess: string | null }[] = [];
    for (const [at, { cells }] of rows.entries()) {
      let missing: string | null = null;
      if (zip !== null) {
        const cell = cells[zip] ?? '';
        if (cell !== '' && cell.trim() !== '') {
          placements.push(this.#byZip(cell));
          continue;
        }
        missing = 'The ZIP code is missing';
      }
      if (coordinates !== null) {
        const [lng, lat] = [cells[coordinates.lng] ?? '', cells[coordinates.lat] ?? ''];
        if (lng.trim() !== '' || lat.trim() !== '') {
          const point = pointOf(lng, lat);
          const given = truncateInput(`${lng.trim()}, ${lat.trim()}`);
          placements.push(point === null ? noPlace('not_understood', given, NO_DEGREES) : 0);
          const guess = missing && `${missing}, so the coordinates place this row.`;
          if (point !== null) located.push({ at, point, given, guess });
          continue;
        }
        missing ??= 'The coordinates are missing';
      }
      const text = addressIn(cells, address);
      placements.push(noPlace('not_understood', '', `${missing ?? 'The address is missing'}.`));
      if (text === '') continue;
      if (text.length > MAX_ADDRESS_LENGTH) {
        const reason = 'The address is too long. Check its columns.';
        placements[at] = noPlace('not_understood', truncateInput(text), reason);
        continue;
      }
      const guess = missing && `${missing}, so the address places this row.`;
      addressed.push({ at, address: text, guess });
    }
    for (const one of await this.#geocode(addressed, placements)) located.push(one);
    await this.#locate(located, placements);
    return placements;
  }

  #byZip(cell: string): Placement {
    const clean = cleanZip(cell);
    if (clean >= 0 && this.#isKnown[clean] === 1) return clean;
    const reading = this.#read(cell);
    const given = truncateInput(cell.trim());
    if (/^\s*\d{3}\s*$/.test(cell)) {
      const three = cell.trim();
      return { ...noPlace('guessed', given, reading.reason!), slot: slotOfThree(three), three };
    }
    if (reading.zip === null) return noPlace('not_understood', given, reading.reason);
    const { zip, outcome } = reading;
    const slot = slotOf(zip);
    if (outcome === 'guessed' && /^\s*\d{4}\s*$/.test(cell)) this.lostZeros = true;
    // The reason is looked up at the end.
    if (this.#isKnown[slot] === 0) return { ...noPlace('unknown_zip', given, ''), zip };
    return outcome === 'new' ? slot : { outcome, slot, given, zip, reason: reading.reason };
  }

  #read(cell: string): ReadOneZip {
    let reading = this.#readings.get(cell);
    if (reading === undefined) {
      reading = readZip(cell);
      const isKept = this.#readings.size < MAX_READINGS && cell.length <= MAX_KEPT_LENGTH;
      if (isKept) this.#readings.set(copied(cell), reading);
    }
    return reading;
  }

  async #geocode(
    rows: readonly { at: number; address: string; guess: string | null }[],
    placements: Placement[],
  ): Promise<Located[]> {
    const limit = pLimit(GEOCODED_AT_ONCE);
    const keyOf = (address: string) => address.toLowerCase().replaceAll(/\s+/g, ' ');
    const asked = new Map<string, Promise<void>>();
    for (const { address } of rows) {
      const key = keyOf(address);
      if (this.#addresses.has(key) || asked.has(key)) continue;
      if (this.#addresses.size + asked.size >= MAX_ADDRESSES) break;
      const ask = async () => {
        const point = await this.#lookUps.geocode!(address);
        this.#addresses.set(key, point && [point.lng, point.lat]);
      };
      asked.set(key, limit(ask));
    }
    await Promise.all(asked.values());
    return rows.flatMap(({ at, address, guess }) => {
      const point = this.#addresses.get(keyOf(address));
      const given = truncateInput(address);
      if (point) return { at, point, given, guess };
      const reason =
        point === null
          ? 'The address wasn’t found. Check it, or add its ZIP code.'
          : `The file has more than ${formatCount(MAX_ADDRESSES)} different addresses without a ZIP code. Add ZIP codes, or split the file up.`;
      placements[at] = noPlace('not_understood', given, reason);
      return [];
    });
  }

  async #locate(located: readonly Located[], placements: Placement[]): Promise<void> {
    if (located.length === 0) return;
    const near = located.filter(({ point }) => outside(point) === null);
    await this.#areas.load(near.map(({ point }) => point));
    for (const { at, point, given, guess } of located) {
      const why = outside(point);
      const zip = why === null ? this.#areas.zipAt(...point) : null;
      if (zip !== null) {
        const slot = slotOf(zip);
        placements[at] =
          guess === null ? slot : { outcome: 'guessed', slot, given, zip, reason: guess };
        if (guess !== null) this.fallbacks++;
      } else if (why === null && (await this.#areas.isInCountry(...point))) {
        placements[at] = noPlace('unknown_zip', given, NO_ZIP_HERE);
      } else {
        placements[at] = noPlace('outside_country', given, asSentence(why ?? OUTSIDE));
      }
    }
  }
}

const NO_DEGREES = 'These aren’t a longitude and a latitude in degrees, such as -96.8 and 32.78.';
const NO_ZIP_HERE =
  'No ZIP code covers this point. It lies on water, or on land without addresses.';
const OUTSIDE = 'it lies outside the United States and its islands';

const outside = ([lng, lat]: Point) => whyOutside([lng, lat, lng, lat]);

const noPlace = (
  outcome: UncertainPlacement['outcome'],
  given: string,
  reason: string,
): UncertainPlacement => ({ outcome, slot: null, given, zip: null, reason });

function pointOf(lng: string, lat: string): Point | null {
  const [x, y] = [readDegrees(lng), readDegrees(lat)];
  return x === null || y === null ? null : [x, y];
}

const addressIn = (cells: readonly string[], columns: readonly number[] | null) =>
  (columns ?? [])
    .map((column) => (cells[column] ?? '').trim())
    .filter((cell) => cell !== '')
    .join(', ');

/** Returns the slot of `75201` and `75201-1234`, or -1: most cells, 20 times as fast as `readZip`. */
function cleanZip(cell: string): number {
  if (cell.length !== 5 && !(cell.length === 10 && /^\d{5}-\d{4}$/.test(cell))) return -1;
  let slot = 0;
  for (let i = 0; i < 5; i++) {
    const digit = cell.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    slot = 10 * slot + digit;
  }
  return slot;
}
