/** Finds the ZIP codes of rows: by ZIP code, else by coordinates, else by address. Rows of totals have none. */
import { isGeometryType } from '../../../base/files/geojson.ts';
import { whyOutside } from '../../../base/geodata/country.ts';
import { readZip, type ReadOneZip } from '../../../base/lists/read-zip.ts';
import { cellText, type Row } from '../../../base/files/rows.ts';
import { asSentence, truncateInput } from '../../../base/text/words.ts';
import { Addresses, TOO_MANY_ADDRESSES, UNKNOWN_ADDRESS } from './addresses.ts';
import { isFormula, NO_RESULT } from './amount.ts';
import { readCoordinates, type Point } from './coordinates.ts';
import type { UploadLookUps } from './look-ups.ts';
import type { ColumnChoices } from './choose-columns.ts';
import { copied, slotOf, slotOfThree, zipOf } from './tally.ts';
import type { Totals } from './totals.ts';
import type { RowFinding } from './types.ts';
import { ZipAreas } from './zip-areas.ts';

/** The slot of a row that is clearly placed, or what is wrong with it */
type Placement = number | UncertainPlacement;

export interface UncertainPlacement extends Omit<RowFinding, 'line'> {
  outcome: Exclude<RowFinding['outcome'], 'no_amount'>;
  /** Of a guess; null for a row without a place */
  slot: number | null;
  /** Three digits, which may be a ZIP code that lost two zeros */
  three?: string;
}

/** Geocoders refuse longer texts. */
const MAX_ADDRESS_LENGTH = 300;
/** Different texts of ZIP codes to remember. Reading one again takes some microseconds. */
const MAX_READINGS = 100_000;

/** Longer texts aren't remembered. */
const MAX_KEPT_LENGTH = 100;

type Located = {
  at: number;
  point: Point;
  given: string;
  guess: string | null;
  foundBy: 'point' | 'address';
};

export class Placer {
  /** Number of rows placed by coordinates or an address because their ZIP code or coordinates are missing */
  fallbacks = 0;
  /** The points of the last rows, by their positions among these */
  readonly located = new Map<number, Pick<Located, 'point' | 'foundBy'>>();
  /** Whether a ZIP code has lost its leading zero. Then, three digits have lost two. */
  lostZeros = false;
  readonly #places: ColumnChoices['places'];
  readonly #isKnown: Uint8Array;
  readonly #totals: Totals;
  readonly #areas: ZipAreas;
  readonly #readings = new Map<string, ReadOneZip>();
  readonly #addresses: Addresses;

  /** @param isKnown 1 for each slot of a ZIP code in the imported data */
  constructor(
    places: ColumnChoices['places'],
    totals: Totals,
    isKnown: Uint8Array,
    lookUps: UploadLookUps,
  ) {
    this.#places = places;
    this.#totals = totals;
    this.#isKnown = isKnown;
    this.#addresses = new Addresses(lookUps.geocode);
    this.#areas = new ZipAreas(lookUps);
  }

  /** Returns the places of the rows, in the same order. @throws ServiceError 503 if the geocoder fails */
  async place(rows: readonly Row[]): Promise<Placement[]> {
    const { zip, coordinates, address } = this.#places;
    const placements: Placement[] = [];
    const located: Located[] = [];
    const addressed: { at: number; address: string; guess: string | null }[] = [];
    for (const [at, row] of rows.entries()) {
      const total = this.#totals.labelOf(row);
      if (total !== null) {
        placements.push(noPlace('total', truncateInput(total), IS_TOTAL));
        continue;
      }
      let missing: string | null = null;
      if (zip !== null) {
        const cell = cellText(row, zip);
        const above = cell === '' ? this.#totals.zipAbove() : null;
        if (cell !== '' || above !== null) {
          placements.push(above === null ? this.#byZip(cell) : this.#byZipAbove(above));
          continue;
        }
        missing = 'The ZIP code is missing';
      }
      if (coordinates !== null) {
        const isPoint = coordinates.lng === coordinates.lat;
        const [lng, lat] = [cellText(row, coordinates.lng), cellText(row, coordinates.lat)];
        if (lng !== '' || lat !== '') {
          const point = readCoordinates(lng, lat, isPoint);
          const given = truncateInput(isPoint || lng === lat ? lng : `${lng}, ${lat}`);
          placements.push(point === null ? noPlace('not_understood', given, whyNoPoint(lng)) : 0);
          const guess = missing && `${missing}, so the coordinates place this row.`;
          if (point !== null) located.push({ at, point, given, guess, foundBy: 'point' });
          continue;
        }
        missing ??= 'The coordinates are missing';
      }
      const text = addressIn(row, address);
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
    this.located.clear();
    for (const { at, point, foundBy } of located) this.located.set(at, { point, foundBy });
    await this.#locate(located, placements);
    return placements;
  }

  #byZipAbove(zip: string): Placement {
    const placement = this.#byZip(zip);
    if (typeof placement !== 'number') return { ...placement, given: '' };
    const reason = 'The ZIP code is missing, so the one above counts. Their total is below.';
    return { outcome: 'guessed', slot: placement, given: '', zip: zipOf(placement), reason };
  }

  #byZip(cell: string): Placement {
    const clean = cleanZip(cell);
    if (clean >= 0 && this.#isKnown[clean] === 1) return clean;
    const reading = this.#read(cell);
    const given = truncateInput(cell.trim());
    if (isFormula(cell)) return noPlace('not_understood', given, NO_RESULT);
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
    await this.#addresses.find(rows.map(({ address }) => address));
    return rows.flatMap(({ at, address, guess }) => {
      const point = this.#addresses.at(address);
      const given = truncateInput(address);
      if (point) {
        return {
          at,
          point: [point.lng, point.lat] as const,
          given,
          guess,
          foundBy: 'address' as const,
        };
      }
      const reason = point === null ? UNKNOWN_ADDRESS : TOO_MANY_ADDRESSES;
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
const IS_TOTAL = 'A row of totals, whose amounts are counted in other rows.';

/** GeoJSON has the type of a geometry instead of the coordinates of a point. */
const whyNoPoint = (given: string) =>
  isGeometryType(given)
    ? `A ${given} is not a point. Upload points, or give each feature a property “zip”.`
    : NO_DEGREES;

const NO_ZIP_HERE =
  'No ZIP code covers this point. It lies on water, or on land without addresses.';
const OUTSIDE = 'it lies outside the United States and its islands';

const outside = ([lng, lat]: Point) => whyOutside([lng, lat, lng, lat]);

const noPlace = (
  outcome: UncertainPlacement['outcome'],
  given: string,
  reason: string,
): UncertainPlacement => ({ outcome, slot: null, given, zip: null, reason });

const addressIn = (row: Row, columns: readonly number[] | null) =>
  (columns ?? [])
    .map((column) => cellText(row, column))
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
