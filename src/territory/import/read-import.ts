/** Reads an imported text and reports what the import would do for a brand. Changes nothing. */
import { excessOf, IMPORT_GEOJSON } from '../../contract/bounds.ts';
import { badRequest } from '../../errors.ts';
import { asSentence, formatCount, pluralize, wereIgnored } from '../../text/words.ts';
import { batchesOf } from './batches.ts';
import type { Finding, Outcome, Place, Readings, ZipColumn } from '../../lists/finding.ts';
import type { ImportLookUps, ZipStates } from './look-ups.ts';
import { expandRanges, type PlainReading } from '../../lists/ranges.ts';
import { readZipList } from '../../lists/zip-list.ts';

export interface ImportReport {
  place: Place;
  /** A sentence that says how the text was read */
  summary: string;
  columns?: ZipColumn[] | undefined;
  /** In the order of the input. A feature with several ZIP codes has several findings. */
  findings: Finding[];
  /** ZIP codes to request, sorted and without duplicates */
  zips: string[];
  /** Guessed ZIP codes, sorted and without duplicates */
  guesses: string[];
  /** ZIP codes in either list that another brand of the organization holds too */
  shared: string[];
}

/**
 * Returns what an import would do for the brand of `lookUps`. The largest files take seconds, so the service calls it
 * in a worker thread.
 * @param text a list of ZIP codes, a table with a column of them, GeoJSON, or KML
 * @param column heading or number of the column with ZIP codes, if a table has several
 * @throws ServiceError 400 for any other text, or one that is too large
 */
export async function readImport(
  lookUps: ImportLookUps,
  text: string,
  column?: string,
): Promise<ImportReport> {
  const { place, summary, columns, ...read } = await readText(lookUps, text, column);
  const readings = await expandRanges(read.readings, lookUps.zipsInRanges);
  const zips = [...new Set(readings.flatMap(({ zip }) => zip ?? []))].sort();
  const { stateOf, unknownReasons, shared } = await readZipStates(lookUps, zips);
  const findings = classify(readings, place, stateOf, unknownReasons);
  const zipsWith = (outcome: Outcome) =>
    findings.flatMap((one) => (one.outcome === outcome ? one.zip! : [])).sort();
  return {
    ...{ place, summary, columns, findings },
    zips: zipsWith('new'),
    guesses: zipsWith('guessed'),
    shared: [...shared],
  };
}

/** Asks in batches, because an answer about 50,000 ZIP codes would block the service's thread. */
async function readZipStates(lookUps: ImportLookUps, zips: readonly string[]): Promise<ZipStates> {
  const stateOf = new Map<string, 'free' | 'live' | 'pending' | 'unknown'>();
  const unknownReasons = new Map<string, string>();
  const shared: string[] = [];
  for (const batch of batchesOf(zips)) {
    const states = await lookUps.readZipStates(batch);
    for (const [zip, state] of states.stateOf) stateOf.set(zip, state);
    for (const [zip, reason] of states.unknownReasons) unknownReasons.set(zip, reason);
    shared.push(...states.shared);
  }
  return { stateOf, unknownReasons, shared };
}

async function readText(lookUps: ImportLookUps, text: string, column?: string): Promise<Readings> {
  const start = text.replace(/^\u{FEFF}/u, '').trimStart();
  const isKml = /^<[^]{0,1000}<kml\b|^<kml\b/.test(start);
  if (start.startsWith('<') && !isKml) {
    throw badRequest(
      'This looks like XML or HTML. Import a list of ZIP codes, a table, GeoJSON, or KML instead.',
    );
  }
  if (!isKml && !/^[{[]/.test(start)) return readZipList(text, column);
  // Loaded on demand, because the geometry packages take time to load.
  const [{ readGeoJson }, { zipsInAreas }] = await Promise.all([
    import('./geojson.ts'),
    import('./zips-in-areas.ts'),
  ]);
  const content = isKml ? (await import('./kml.ts')).kmlToGeoJson(start) : parseJson(start);
  const { readings, areas, ignored } = readGeoJson(content);
  const rest = wereIgnored(ignored);
  const ofAreas = await zipsInAreas(lookUps, areas);
  const named = readings.filter(({ zip }) => zip !== null).length;
  return {
    place: 'feature',
    summary:
      `${isKml ? 'KML' : 'GeoJSON'} with ${pluralize(readings.length + areas.length, 'feature')}: ` +
      `${formatCount(named)} matched by ZIP code property, ${formatCount(areas.length)} by area.` +
      (rest === null ? '' : ` ${asSentence(rest)}`),
    readings: [...readings, ...ofAreas].sort((a, b) => a.at - b.at),
  };
}

function parseJson(text: string): unknown {
  const excess = excessOf(Buffer.from(text), IMPORT_GEOJSON);
  if (excess !== null) throw badRequest(`The GeoJSON ${excess} Simplify it or split it up.`);
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

const HELD = {
  live: 'The brand already holds it.',
  pending: 'It is already pending review.',
} as const;

/**
 * Returns the findings. If a ZIP code appears several times, the first certain reading counts, or else the first
 * guess.
 */
function classify(
  readings: readonly PlainReading[],
  place: Place,
  stateOf: ZipStates['stateOf'],
  unknownReasons: ZipStates['unknownReasons'],
): Finding[] {
  const certain = new Set(readings.flatMap(({ zip, outcome }) => (outcome === 'new' ? zip! : [])));
  const firstAt = new Map<string, number>();
  const findingOf = (one: PlainReading): Finding => {
    const { zip, outcome, at } = one;
    if (zip === null || outcome === 'not_understood') return one;
    const state = stateOf.get(zip)!;
    if (state === 'unknown' && outcome === 'guessed') {
      const reason = `${one.reason} But ${zip} can’t be added: ${unknownReasons.get(zip)}.`;
      return { ...one, outcome: 'not_understood', reason };
    }
    const first = firstAt.get(zip);
    if (first !== undefined || (outcome === 'guessed' && certain.has(zip))) {
      const reason =
        first === undefined
          ? 'It appears again below.'
          : `The same ZIP code is in ${place} ${first}.`;
      return { ...one, outcome: 'repeated', reason };
    }
    firstAt.set(zip, at);
    if (state === 'unknown') {
      return { ...one, outcome: 'unknown', reason: asSentence(unknownReasons.get(zip)!) };
    }
    if (state === 'live' || state === 'pending') {
      return { ...one, outcome: 'held', reason: HELD[state] };
    }
    return one;
  };
  return readings.map(findingOf);
}
