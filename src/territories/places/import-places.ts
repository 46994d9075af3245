/** Imports a file of places: reads it, locates its rows, then adds or changes places, or previews that. */
import { PLACE_KINDS, type PlaceKind } from '../../data/basemap/place-symbols.ts';
import { recordActivity } from '../../people/account/activity.ts';
import type { Caller } from '../../people/account/caller.ts';
import { checkedName } from '../../people/account/names.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { badRequest, ServiceError } from '../../errors.ts';
import { joinWithAnd, pluralize, truncateInput } from '../../base/text/words.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';
import { brandsInScope, type Brand } from '../brands/brands.ts';
import { readCoordinates } from '../own-data/import/coordinates.ts';
import { inTurn } from '../own-data/import/in-turn.ts';
import type { CellsResult } from '../own-data/import/read-cells.ts';
import { readUploadedCells } from '../own-data/import/read-upload.ts';
import type { UploadOptions } from '../own-data/import/types.ts';
import { countRows, dataLimitsOf, requireRows } from '../own-data/limits.ts';
import { attempt, locateAll, type Whereabouts } from './locate.ts';
import { matchPlaces, type Match, type PlaceRow } from './match-places.ts';
import { findPlaceColumns, type ChosenColumns, type PlaceColumns } from './place-columns.ts';
import { checkedKind, checkedTexts, type TextFields } from './place-fields.ts';
import type { PlaceImport, PlaceOutcome, ReadPlace } from './import-types.ts';
import {
  insertPlaces,
  listPlaces,
  lockPlaces,
  NO_TEXTS,
  requireRoom,
  updatePlaces,
  withAddresses,
} from './places.ts';

export interface PlaceFileRequest {
  /** How to read the file */
  options: Pick<UploadOptions, 'sheet' | 'zip' | 'coordinates' | 'address'>;
  columns: ChosenColumns;
  /** Kind of the rows that don’t name one */
  kind?: string | undefined;
  /** Brand of the rows that don’t name one: id, slug, or name. Default: the whole organization */
  brand?: string | undefined;
  /** Whether to read the file without storing anything */
  isPreview: boolean;
}

const FIRST_ROWS = 10;

type PlaceCaller = Pick<Caller, 'tenant' | 'subscription' | 'actor' | 'brandScope'>;

/**
 * Imports a file of places.
 * @param geocoder finds addresses, for units, in a preview, too; undefined without one
 * @throws ServiceError 400 for a file that can’t be read, or without columns of names and locations; 402 without rows or
 *   units left; 409 if there would be too many places; 503 while other files are read, or if the geocoder fails
 */
export const importPlaces = (
  caller: PlaceCaller,
  chunks: AsyncIterable<Uint8Array>,
  request: PlaceFileRequest,
  geocoder?: Geocoder,
): Promise<PlaceImport> =>
  inTurn(caller.tenant.organizationId, () => readAndStore(caller, chunks, request, geocoder));

async function readAndStore(
  caller: PlaceCaller,
  chunks: AsyncIterable<Uint8Array>,
  { options, columns: chosen, kind, brand, isPreview }: PlaceFileRequest,
  geocoder?: Geocoder,
): Promise<PlaceImport> {
  const { tenant, subscription, brandScope } = caller;
  await requireRows(tenant, subscription, 1);
  const brands = await brandsInScope(tenant, brandScope);
  const defaults = {
    kind: kind === undefined || kind === '' ? null : checkedKind(kind, PLACE_KINDS),
    brand: brand ? brandNamed(brands, brand) : null,
    needsBrand: brandScope !== 'all',
  };
  const file = await readUploadedCells(chunks, options, {
    rows: dataLimitsOf(subscription).places,
  });
  await requireRows(tenant, subscription, file.rows.length);
  const columns = findPlaceColumns(file, chosen);
  if (columns.fields.kind === undefined && defaults.kind === null) {
    throw badRequest(
      `The file has no column of kinds. Choose the kind of its places: ${joinWithAnd(PLACE_KINDS)}.`,
    );
  }
  const read = file.rows.map((row) => readRow(row, file, columns, brands, defaults));
  return withAddresses(caller, geocoder, async (findAddress, settle) => {
    const usable = read.filter(({ place }) => place !== null);
    const locations = await locateAll(
      tenant,
      usable.map(({ whereabouts }) => whereabouts),
      findAddress,
    );
    const located: { at: ReadRow; place: PlaceRow }[] = [];
    for (const [i, at] of usable.entries()) {
      const location = locations[i]!;
      if (location instanceof ServiceError) at.refusal = location.message;
      else located.push({ at, place: { ...at.place!, ...location } });
    }
    const decide = async (from: Tenant) =>
      matchPlaces(
        located.map(({ place }) => place),
        await listPlaces(from),
      );
    const store = (): Promise<Match[]> =>
      tenant.transaction(async (tx) => {
        await countRows(tx, subscription, file.rows.length);
        await settle(tx);
        await lockPlaces(tx);
        const found = await decide(tx);
        await storeMatches(tx, caller, located, found);
        return found;
      });
    const preview = async (): Promise<Match[]> => {
      const found = await decide(tenant);
      await requireRoom(tenant, subscription, found.filter((one) => one.kind === 'added').length);
      await settle();
      return found;
    };
    const matches = await (isPreview ? preview() : store());
    for (const [i, { at }] of located.entries()) at.match = matches[i]!;
    return summarize(file, columns, read, located, brands, !isPreview);
  });
}

/** A row while it is read */
interface ReadRow {
  line: number;
  /** As in the file */
  name: string;
  /** Null if it is left out */
  place: Omit<PlaceRow, 'lng' | 'lat' | 'locatedBy' | 'zip'> | null;
  whereabouts: Whereabouts;
  /** What was left out of it */
  notes: string[];
  /** Why it is left out */
  refusal: string | null;
  match: Match | null;
}

interface Defaults {
  kind: PlaceKind | null;
  brand: Brand | null;
  /** Whether the person may add only places of brands */
  needsBrand: boolean;
}

const NOTHING = /^(?:n\/?a|none|null|unknown|tbd|-+)$/i;

function readRow(
  { line, cells }: CellsResult['rows'][number],
  { places }: CellsResult,
  { fields }: PlaceColumns,
  brands: readonly Brand[],
  defaults: Defaults,
): ReadRow {
  const cell = (column: number | null | undefined) => {
    const text = typeof column === 'number' ? (cells[column] ?? '') : '';
    return NOTHING.test(text) ? '' : text;
  };
  const notes: string[] = [];
  const texts: Partial<TextFields> = {};
  for (const field of ['phone', 'email', 'url', 'hours'] as const) {
    const checked = attempt(() => checkedTexts({ [field]: cell(fields[field]) }, [field]));
    if (checked instanceof ServiceError) notes.push(`Left out: ${checked.message}`);
    // An empty cell keeps what is stored.
    else if (checked[field]) texts[field] = checked[field];
  }
  const address = (places.address ?? []).map(cell).filter(Boolean).join(', ');
  const { lng: x, lat: y } = places.coordinates ?? {};
  const [east, north] = [cell(x), cell(y)];
  const point = east || north ? readCoordinates(east, north, x === y) : null;
  if (point === null && (east || north)) {
    notes.push(`The coordinates "${truncateInput(`${east} ${north}`.trim())}" can’t be read.`);
  }
  const place = attempt(() => ({
    ...texts,
    ...(address && checkedTexts({ address }, ['address'])),
    name: checkedName('A place', cell(fields.name)),
    kind: kindOf(cell(fields.kind), defaults.kind),
    brandId: brandIdOf(cell(fields.brand), brands, defaults),
  }));
  const isRefused = place instanceof ServiceError;
  return {
    line,
    name: cell(fields.name),
    place: isRefused ? null : place,
    whereabouts: { lng: point?.[0], lat: point?.[1], address, zip: cell(places.zip) },
    notes,
    refusal: isRefused ? place.message : null,
    match: null,
  };
}

/** Words that lists use for the kinds */
const KIND_WORDS: Readonly<Record<string, PlaceKind>> = {
  shop: 'store',
  showroom: 'store',
  branch: 'store',
  location: 'store',
  retail: 'store',
  headquarters: 'office',
  hq: 'office',
  warehouse: 'depot',
  yard: 'depot',
  rival: 'competitor',
  competition: 'competitor',
};

/** @throws ServiceError 400 for another word: guessing could make a competitor public */
function kindOf(text: string, byDefault: PlaceKind | null): PlaceKind {
  const word = text.trim().toLowerCase();
  if (word === '' && byDefault) return byDefault;
  if (word === '')
    throw badRequest(`The kind is missing. It is one of ${joinWithAnd(PLACE_KINDS)}.`);
  const singular = word.replace(/(?<=..)s$/, '');
  return KIND_WORDS[word] ?? KIND_WORDS[singular] ?? checkedKind(singular, PLACE_KINDS);
}

/** @throws ServiceError 400 for an unknown brand, or without one that is needed */
function brandIdOf(text: string, brands: readonly Brand[], { brand, needsBrand }: Defaults) {
  if (text !== '') return brandNamed(brands, text).id;
  if (brand || !needsBrand) return brand?.id ?? null;
  throw badRequest('The brand is missing. Name one of yours, or choose one for the file.');
}

function brandNamed(brands: readonly Brand[], text: string): Brand {
  const ref = text.trim().toLowerCase();
  const brand = brands.find(
    ({ id, slug, name }) => id === ref || slug === ref || name.toLowerCase() === ref,
  );
  if (brand) return brand;
  throw badRequest(`There is no brand "${truncateInput(text)}". Check its name, or add it first.`);
}

async function storeMatches(
  tx: TenantTransaction,
  { actor, subscription }: PlaceCaller,
  located: readonly { place: PlaceRow }[],
  matches: readonly Match[],
): Promise<void> {
  const added = located.flatMap(({ place }, i) =>
    matches[i]!.kind === 'added' ? [{ ...NO_TEXTS, ...place }] : [],
  );
  const changed = matches.flatMap((one) =>
    one.kind === 'changed' ? [{ id: one.id, ...one.changes }] : [],
  );
  if (added.length + changed.length === 0) return;
  await insertPlaces(tx, actor, added, subscription);
  await updatePlaces(tx, actor, changed);
  const brandIds = new Set(located.map(({ place }) => place.brandId));
  recordActivity(tx, {
    actor,
    action: 'places_imported',
    brandId: brandIds.size === 1 ? [...brandIds][0]! : null,
    summary: `Imported places: added ${pluralize(added.length, 'place')}, and changed ${changed.length}.`,
    zips: [],
    before: {},
    after: { added: added.length, changed: changed.length },
  });
}

const HOW_ROWS_MATCH =
  'A row changes the place of the same name and brand; where several have that name, and for competitors, the one at ' +
  'the same address or nearby. Empty cells change nothing.';

function summarize(
  file: CellsResult,
  columns: PlaceColumns,
  read: readonly ReadRow[],
  located: readonly { at: ReadRow; place: PlaceRow }[],
  brands: readonly Brand[],
  stored: boolean,
): PlaceImport {
  const places = new Map(located.map(({ at, place }) => [at, place]));
  const rows = read.map((row): ReadPlace => {
    const { line, name, notes, refusal, match } = row;
    const place = places.get(row);
    const repeated = match?.kind === 'repeated' ? located[match.first]!.at.line : null;
    const reasons = [
      ...(refusal === null ? [] : [refusal]),
      ...(repeated === null ? [] : [`The place is also in line ${repeated}, which counts.`]),
      ...notes,
      ...(place?.locatedBy === 'zip' && row.whereabouts.address ? [AT_MIDDLE] : []),
    ];
    return {
      line,
      given: truncateInput(name),
      outcome: match === null || match.kind === 'repeated' ? 'left_out' : match.kind,
      reason: reasons.join(' '),
      kind: row.place?.kind ?? null,
      brand: brands.find(({ id }) => id === row.place?.brandId)?.name ?? null,
      locatedBy: place?.locatedBy ?? null,
      zip: place?.zip ?? null,
    };
  });
  const count = (outcome: PlaceOutcome) => rows.filter((row) => row.outcome === outcome).length;
  return {
    stored,
    format: file.format,
    sheets: file.sheets,
    columns: file.columns,
    summary: [...file.notes, ...columns.notes, HOW_ROWS_MATCH].filter(Boolean).join(' '),
    rows: rows.length,
    counts: {
      added: count('added'),
      changed: count('changed'),
      unchanged: count('unchanged'),
      left_out: count('left_out'),
    },
    findings: rows
      .filter(({ reason }) => reason !== '')
      .map(({ line, given, outcome, reason }) => ({ line, given, outcome, reason })),
    firstRows: rows.slice(0, FIRST_ROWS),
  };
}

const AT_MIDDLE =
  'The address couldn’t be looked up, so the place is in the middle of its ZIP code.';
