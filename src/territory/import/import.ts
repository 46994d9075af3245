/** Importing a territory from a file: previewing it for a brand, and requesting its ZIP codes. */
import type { Actor } from '../../account/caller.ts';
import type { Tenant, TenantDatabase } from '../../account/tenant.ts';
import { badRequest } from '../../errors.ts';
import { formatCount, pluralize } from '../../words.ts';
import { applyZips, previewApply } from '../apply.ts';
import type { Brand } from '../brands.ts';
import { MAX_ZIPS_PER_CHANGE } from '../validate-zips.ts';
import type { Finding, Outcome, Place, Reading, Readings } from './finding.ts';
import { readZipList } from './zip-list.ts';

export interface ImportReport {
  place: Place;
  /** One sentence: how the text was read */
  summary: string;
  /** In the order of the input; a feature with several ZIP codes has several findings */
  findings: Finding[];
  /** ZIP codes to request, in order, without duplicates */
  zips: string[];
  /** Guessed ZIP codes, likewise */
  guesses: string[];
  /** ZIP codes in either list that another brand of the organization holds too */
  shared: string[];
}

/**
 * Returns what an import would do for a brand, without changing anything.
 * @param text a list of ZIP codes, a table with a column of them, or GeoJSON
 * @throws ServiceError 400 for any other text, or one that is too large
 */
export async function readImport(
  tenant: TenantDatabase,
  brand: Brand,
  text: string,
): Promise<ImportReport> {
  const { place, summary, readings } = await readText(tenant, text);
  const zips = [...new Set(readings.flatMap(({ zip }) => zip ?? []))].sort();
  const zipStates = await readZipStates(tenant, brand, zips);
  const findings = classify(readings, zipStates.stateOf);
  const zipsWith = (outcome: Outcome) =>
    findings.flatMap((one) => (one.outcome === outcome ? one.zip! : [])).sort();
  return {
    place,
    summary,
    findings,
    zips: zipsWith('new'),
    guesses: zipsWith('guessed'),
    shared: zipStates.shared,
  };
}

/**
 * Requests any number of ZIP codes with `applyZips`, in one transaction.
 * @returns the number of ZIP codes now pending review
 */
export async function importZips(
  tenant: TenantDatabase,
  actor: Actor,
  brand: Brand,
  { zips, note }: { zips: readonly string[]; note?: string | undefined },
): Promise<number> {
  return tenant.transaction(async (tx) => {
    let queued = 0;
    for (const batch of batchesOf(zips)) {
      queued += (await applyZips(tx, actor, brand, { zips: batch, note })).queued.length;
    }
    return queued;
  });
}

/** Splits ZIP codes into batches of the maximum size of one change. */
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
      'This looks like XML, KML, or HTML. Import a list of ZIP codes, a table, or GeoJSON instead.',
    );
  }
  if (!/^[{[]/.test(start)) return readZipList(text);
  // Loaded on demand: the geometry packages take a while.
  const [{ readGeoJson }, { zipsInAreas }] = await Promise.all([
    import('./geojson.ts'),
    import('./zips-in-areas.ts'),
  ]);
  const { readings, areas } = readGeoJson(parseJson(start));
  const ofAreas = await zipsInAreas(tenant, areas);
  const named = readings.filter(({ zip }) => zip !== null).length;
  return {
    place: 'feature',
    summary:
      `GeoJSON with ${pluralize(readings.length + areas.length, 'feature')}: ` +
      `${formatCount(named)} matched by ZIP code property, ${formatCount(areas.length)} by area.`,
    readings: [...readings, ...ofAreas].sort((a, b) => a.at - b.at),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as Error;
    const at = /at position (\d+)/.exec(message)?.[1];
    const where =
      at !== undefined
        ? `: check line ${lineAt(text, Number(at))}`
        : message.includes('end of JSON')
          ? ': it ends too early'
          : '';
    throw badRequest(`This starts like GeoJSON but isn’t valid JSON${where}. Export it again.`, {
      cause,
    });
  }
}

const lineAt = (text: string, position: number) => text.slice(0, position).split('\n').length;

interface ZipStates {
  stateOf: Map<string, 'free' | 'live' | 'pending' | 'unknown'>;
  shared: string[];
}

async function readZipStates(
  tenant: Tenant,
  brand: Brand,
  zips: readonly string[],
): Promise<ZipStates> {
  const known = await knownZips(tenant, zips);
  const stateOf: ZipStates['stateOf'] = new Map(zips.map((zip) => [zip, 'unknown']));
  const shared: string[] = [];
  for (const batch of batchesOf(known)) {
    const outcome = await previewApply(tenant, brand, batch);
    for (const zip of outcome.queued) stateOf.set(zip, 'free');
    for (const zip of outcome.alreadyLive) stateOf.set(zip, 'live');
    for (const zip of outcome.alreadyPending) stateOf.set(zip, 'pending');
    shared.push(...outcome.shared);
  }
  return { stateOf, shared };
}

async function knownZips(tenant: Tenant, zips: readonly string[]): Promise<string[]> {
  const rows = await tenant.common.query<{ zip: string }>(
    'select zip from zips where zip = any($1)',
    [zips],
  );
  return rows.map(({ zip }) => zip);
}

const HELD = {
  live: 'The brand already holds it.',
  pending: 'It is already pending review.',
} as const;

const NO_BOUNDARY =
  'This ZIP code has no boundary: it belongs to PO boxes or a single building, or doesn’t exist.';

/**
 * If a ZIP code appears several times, a certain reading counts before a guess, and an earlier one
 * before a later one.
 */
function classify(readings: readonly Reading[], stateOf: ZipStates['stateOf']): Finding[] {
  const certain = new Set(readings.flatMap(({ zip, outcome }) => (outcome === 'new' ? zip! : [])));
  const firstAt = new Map<string, number>();
  const findingOf = (one: Reading): Finding => {
    const { zip, outcome, at } = one;
    if (zip === null || outcome === 'not_understood') return one;
    const state = stateOf.get(zip)!;
    if (state === 'unknown' && outcome === 'guessed') {
      const reason = `${one.reason} But no ZIP code ${zip} has a boundary.`;
      return { ...one, outcome: 'not_understood', reason };
    }
    const first = firstAt.get(zip);
    if (first !== undefined || (outcome === 'guessed' && certain.has(zip))) {
      const reason = first === undefined ? 'It appears again below.' : `Same as ${first}.`;
      return { ...one, outcome: 'repeated', reason };
    }
    firstAt.set(zip, at);
    if (state === 'unknown') return { ...one, outcome: 'unknown', reason: NO_BOUNDARY };
    if (state === 'live' || state === 'pending') {
      return { ...one, outcome: 'held', reason: HELD[state] };
    }
    return one;
  };
  return readings.map(findingOf);
}
