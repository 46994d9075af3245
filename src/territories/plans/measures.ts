/** Measures of a plan's territories, and how evenly the plan divides its market. */
import type { Queryable } from '../../base/db/database.ts';
import { letOthersRun } from '../../base/workers/let-others-run.ts';
import { uploadedMeasure } from '../design/load.ts';
import { recordSeenZips, type Viewer } from '../../people/metering/figures.ts';
import { totalOf, type FullDataSet } from '../own-data/data-sets.ts';
import { readAdjacency, readMappedFilter } from '../brands/shape/adjacency.ts';
import { balanceOf } from '../brands/balance.ts';
import { countPieces } from '../brands/shape/contiguity.ts';
import { nationalBorders } from '../brands/shape/national-borders.ts';
import { isBuiltIn } from '../brands/measures.ts';
import { compactnessOf } from '../brands/shape/outline.ts';
import { sumsOf, totalsOf, zipFacts, type Totals } from '../brands/zip-facts.ts';
import type { SavedPlan } from './plans.ts';
import type { PlanSettings } from './settings.ts';

/** The form of a territory. It depends only on boundaries, so it doesn't count as a figure. */
interface Form {
  /** Number of connected areas, counting ZIP codes with a boundary; 1 if the territory is contiguous */
  pieces: number;
  /** Polsby-Popper, 0 to 1 (`territories/brands/shape/outline.ts`); null without a boundary */
  compactness: number | null;
}

export interface PlanTotals extends Totals {
  /** Totals of the plan's data sets, by name. ZIP codes without an amount count as 0. */
  measures: Record<string, number>;
}

interface Figures {
  totals: PlanTotals;
  /** Deviation of the balanced measure from the mean of the territories, in percent */
  deviationPct: number;
}

/** Returns the form of each territory, in order. @param db the process's database, which caches national borders */
export async function formsOf(
  db: Queryable,
  { territories }: Pick<SavedPlan, 'territories'>,
): Promise<Form[]> {
  const all = territories.flatMap(({ zips }) => zips);
  const [borders, adjacency] = await Promise.all([nationalBorders(db), readAdjacency(db, all)]);
  const onMap = await readMappedFilter(db, all, adjacency);
  const forms: Form[] = [];
  for (const { zips } of territories) {
    await letOthersRun();
    const outline = await compactnessOf(borders, zips);
    forms.push({
      pieces: countPieces(onMap(new Set(zips)), adjacency),
      compactness: outline && Math.round(1000 * outline.polsbyPopper) / 1000,
    });
  }
  return forms;
}

/**
 * Returns the figures of each territory, in order.
 * @throws ServiceError 402 as `recordSeenZips`
 */
export async function figuresOfPlan(
  viewer: Viewer,
  { territories, settings: { balance, vertical } }: Pick<SavedPlan, 'territories' | 'settings'>,
  measures: readonly PlanData[] = [],
): Promise<Figures[]> {
  const totals = await totalsByTerritory(viewer, territories, vertical, measures);
  const own = measures.find(({ name }) => name === balance);
  const balanced = balanceOf(
    totals.map((one, id) => ({
      id,
      total: own
        ? sumOf(uploadedMeasure(own, territories[id]!.zips).values)
        : isBuiltIn(balance)
          ? (one[balance] ?? 0)
          : 0,
    })),
  );
  return totals.map((one, i) => ({
    totals: one,
    deviationPct: balanced.territories[i]!.deviationPct,
  }));
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

type PlanData = Pick<FullDataSet, 'name' | 'addsUp' | 'amounts' | 'rows'>;

/** Returns the totals of each territory, in order. @throws ServiceError 402 as `recordSeenZips` */
export async function totalsByTerritory(
  viewer: Viewer,
  territories: readonly { zips: readonly string[] }[],
  vertical: PlanSettings['vertical'],
  measures: readonly PlanData[] = [],
): Promise<PlanTotals[]> {
  const all = new Set(territories.flatMap(({ zips }) => zips));
  await recordSeenZips(viewer, all);
  const facts = new Map(
    (await zipFacts(viewer.tenant.common, all, vertical)).map((fact) => [fact.zip, fact]),
  );
  await letOthersRun();
  return territories.map(({ zips }) => ({
    ...totalsOf(sumsOf(zips.map((zip) => facts.get(zip)!))),
    measures: Object.fromEntries(measures.map((one) => [one.name, totalOf(one, zips) ?? 0])),
  }));
}
