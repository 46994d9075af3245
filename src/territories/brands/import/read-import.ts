/** Reads an imported file and reports what the import would do for a brand. Changes nothing. */
import { asSentence } from '../../../base/text/words.ts';
import { expandRanges, type PlainReading } from '../../../base/lists/ranges.ts';
import type { Finding, Outcome, EntryKind, Readings } from '../../../base/lists/finding.ts';
import { batchesOf } from '../validate-zips.ts';
import type { ImportLookUps, ZipStates } from './look-ups.ts';
import { readZipFile, type ImportFile } from './read-file.ts';

export interface ImportReport extends Omit<Readings, 'readings'> {
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
 * @throws ServiceError 400 as `readZipFile`
 */
export async function readImport(lookUps: ImportLookUps, file: ImportFile): Promise<ImportReport> {
  const { readings: given, ...read } = await readFile(lookUps, file);
  const readings = await expandRanges(given, lookUps.zipsInRanges);
  const zips = [...new Set(readings.flatMap(({ zip }) => zip ?? []))].sort();
  const { stateOf, unknownReasons, shared } = await readZipStates(lookUps, zips);
  const findings = classify(readings, read.place, stateOf, unknownReasons);
  const zipsWith = (outcome: Outcome) =>
    findings.flatMap((one) => (one.outcome === outcome ? one.zip! : [])).sort();
  return {
    ...read,
    findings,
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

async function readFile(lookUps: ImportLookUps, file: ImportFile): Promise<Readings> {
  const { areas, ...found } = await readZipFile(file);
  if (areas.length === 0) return found;
  // Loaded on demand, because the geometry packages take time to load.
  const { zipsInAreas } = await import('./zips-in-areas.ts');
  const ofAreas = await zipsInAreas(lookUps, areas);
  return { ...found, readings: [...found.readings, ...ofAreas].sort((a, b) => a.at - b.at) };
}

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
  place: EntryKind,
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
