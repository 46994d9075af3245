/** Bringing a territory in from a file: what it means for a brand, and asking for it. */
import type { Actor } from '../../account/caller.ts';
import type { Tenant, TenantDatabase } from '../../account/tenant.ts';
import { badRequest } from '../../errors.ts';
import { count, counted } from '../../words.ts';
import { applyZips, previewApply } from '../apply.ts';
import type { Brand } from '../brands.ts';
import { MAX_ZIPS_PER_CHANGE } from '../zip-list.ts';
import type { Finding, Outcome, Place, Reading, Readings } from './finding.ts';
import { readGeoJson } from './geojson.ts';
import { readZipList } from './zip-list.ts';
import { zipsInAreas } from './zips-in-areas.ts';

export interface ImportReport {
  place: Place;
  /** For people: how the text was read */
  told: string;
  /** In the order of what was given; a feature that means several ZIPs has several */
  findings: Finding[];
  /** ZIPs that would wait for review, in order, each once */
  zips: string[];
  /** Those that were guessed, likewise */
  guesses: string[];
  /** Of both: those that another brand of the organisation holds too */
  shared: string[];
}

/**
 * What a text means for a brand; changes nothing.
 * @param text a list of ZIPs, a table with a column of them, or GeoJSON
 * @throws ServiceError 400 for what is neither, or too much
 */
export async function readImport(
  tenant: TenantDatabase,
  brand: Brand,
  text: string,
): Promise<ImportReport> {
  const { place, told, readings } = await readText(tenant, text);
  const zips = [...new Set(readings.flatMap(({ zip }) => zip ?? []))].sort();
  const standing = await standingOf(tenant, brand, zips);
  const findings = judged(readings, standing.of);
  const meant = (outcome: Outcome) =>
    findings.flatMap((one) => (one.outcome === outcome ? one.zip! : [])).sort();
  return {
    place,
    told,
    findings,
    zips: meant('new'),
    guesses: meant('guessed'),
    shared: standing.shared,
  };
}

/**
 * Asks for ZIPs, of any number, as `applyZips` does for some: all of them or, if that fails, none.
 * @returns how many wait for review now
 */
export async function importZips(
  tenant: TenantDatabase,
  actor: Actor,
  brand: Brand,
  { zips, note }: { zips: readonly string[]; note?: string | undefined },
): Promise<number> {
  return tenant.transaction(async (tx) => {
    let queued = 0;
    for (const some of batchesOf(zips)) {
      queued += (await applyZips(tx, actor, brand, { zips: some, note })).queued.length;
    }
    return queued;
  });
}

/** A change has so many ZIPs at most, as entries of the trail and of the queue do. */
function batchesOf(zips: readonly string[]): string[][] {
  const ordered = [...new Set(zips)].sort();
  return Array.from({ length: Math.ceil(ordered.length / MAX_ZIPS_PER_CHANGE) }, (_, i) =>
    ordered.slice(i * MAX_ZIPS_PER_CHANGE, (i + 1) * MAX_ZIPS_PER_CHANGE),
  );
}

async function readText(tenant: TenantDatabase, text: string): Promise<Readings> {
  const start = text.replace(/^\u{FEFF}/u, '').trimStart();
  if (start.startsWith('<')) {
    throw badRequest(
      'This is XML or HTML, such as KML: a list of ZIPs, a table or GeoJSON is expected.',
    );
  }
  if (!/^[{[]/.test(start)) return readZipList(text);
  const { readings, areas } = readGeoJson(parsedJson(start));
  const ofAreas = await zipsInAreas(tenant, areas);
  const named = readings.filter(({ zip }) => zip !== null).length;
  return {
    place: 'feature',
    told:
      `GeoJSON of ${counted(readings.length + areas.length, 'feature')}: ` +
      `${count(named)} by the ZIP that a property names, ${count(areas.length)} by area.`,
    readings: [...readings, ...ofAreas].sort((a, b) => a.at - b.at),
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    const at = /at position (\d+)/.exec(message)?.[1];
    const where =
      at !== undefined
        ? `, from line ${lineAt(text, Number(at))} on`
        : message.includes('end of JSON')
          ? ': it ends too early'
          : '';
    throw badRequest(`This begins like GeoJSON, but is no well-formed JSON${where}.`, { cause });
  }
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length;

interface Standing {
  of: Map<string, 'free' | 'live' | 'pending' | 'unknown'>;
  shared: string[];
}

async function standingOf(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
): Promise<Standing> {
  const known = await knownZips(tenant, zips);
  const standing: Standing = { of: new Map(), shared: [] };
  for (const zip of zips) standing.of.set(zip, 'unknown');
  for (const some of batchesOf(known)) {
    const outcome = await previewApply(tenant, brand, some);
    for (const zip of outcome.queued) standing.of.set(zip, 'free');
    for (const zip of outcome.alreadyLive) standing.of.set(zip, 'live');
    for (const zip of outcome.alreadyPending) standing.of.set(zip, 'pending');
    standing.shared.push(...outcome.shared);
  }
  return standing;
}

async function knownZips(tenant: Tenant, zips: readonly string[]): Promise<string[]> {
  const rows = await tenant.common.query<{ zip: string }>(
    'select zip from zips where zip = any($1)',
    [zips],
  );
  return rows.map(({ zip }) => zip);
}

const HELD = {
  live: 'The brand holds it already.',
  pending: 'It waits for review already.',
} as const;

const NO_AREA =
  'No area has this ZIP: PO boxes and single buildings have none, or there is no such ZIP.';

/** A ZIP that is meant twice counts where it was sure, else where it came first. */
function judged(readings: readonly Reading[], standing: Standing['of']): Finding[] {
  const sure = new Set(readings.flatMap(({ zip, outcome }) => (outcome === 'new' ? zip! : [])));
  const meantAt = new Map<string, number>();
  const judge = (one: Reading): Finding => {
    const { zip, outcome, at } = one;
    if (zip === null || outcome === 'not_understood') return one;
    const state = standing.get(zip)!;
    if (state === 'unknown' && outcome === 'guessed') {
      const reason = `${one.reason} But as ${zip} it would be a ZIP without an area.`;
      return { ...one, outcome: 'not_understood', reason };
    }
    const before = meantAt.get(zip);
    if (before !== undefined || (outcome === 'guessed' && sure.has(zip))) {
      const reason = before === undefined ? 'It stands further down, too.' : `As at ${before}.`;
      return { ...one, outcome: 'repeated', reason };
    }
    meantAt.set(zip, at);
    if (state === 'unknown') return { ...one, outcome: 'unknown', reason: NO_AREA };
    if (state === 'live' || state === 'pending') {
      return { ...one, outcome: 'held', reason: HELD[state] };
    }
    return one;
  };
  return readings.map(judge);
}
