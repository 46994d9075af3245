/**
 * Ranks of an organization's own data as signals of its weights. A ZIP code without a value is scored by the other
 * signals, or not at all if own data has more than half of the weight.
 */
import type { Caller } from '../../../people/account/caller.ts';
import type { Viewer } from '../../../people/metering/figures.ts';
import { isDataField, readDataFields, type DataValues } from '../../own-data/data-fields.ts';
import { ownerHouseholdsOf, type NationalSignals } from '../../../data/scoring/national-signals.ts';
import { percentiles } from '../../../data/scoring/percentile.ts';
import type { RankedSignals } from '../../../data/scoring/signals.ts';
import type { OwnWeights } from './profile.ts';

/** Sees figures, and the data of its brands */
export type DataViewer = Viewer & Pick<Caller, 'brandScope'>;

interface OwnRanks {
  /** Those of the Census, and one for each data set that a weight names */
  ranks: RankedSignals;
  /** The data sets that weights name */
  data: readonly DataValues[];
}

/**
 * Returns the signals with the own data that the weights name.
 * @param viewer ranks only the amounts that it sees, so that scores don't reveal the others
 * @throws ServiceError 400 as `readDataFields`
 */
export async function withOwnData(
  viewer: Pick<Caller, 'tenant' | 'brandScope'>,
  signals: Pick<NationalSignals, 'zips' | 'rowOf' | 'ranks' | 'ownerHouseholds'>,
  { weights, among }: OwnWeights,
): Promise<OwnRanks> {
  const data = await readDataFields(viewer, Object.keys(weights).filter(isDataField));
  if (data.length === 0) return { ranks: signals.ranks, data };
  const own = data.map((values) => [values.field, rankOne(values, signals, among)] as const);
  return { ranks: { ...signals.ranks, ...Object.fromEntries(own) }, data };
}

function rankOne(
  { set, valueAt }: DataValues,
  signals: Parameters<typeof withOwnData>[1],
  among: OwnWeights['among'],
): Float64Array {
  const ownersOf = ownerHouseholdsOf(signals);
  const column = Float64Array.from(signals.zips, (zip, row) => {
    // As for the Census's signals, zeros of lakes and airports would raise all other ranks.
    const isPopulated = !Number.isNaN(signals.ranks.householdsTotal[row]!);
    const counts = isPopulated && (among === 'nation' || set.amounts.has(zip));
    return (counts ? valueAt(zip, ownersOf(zip)) : null) ?? NaN;
  });
  return percentiles(column);
}
