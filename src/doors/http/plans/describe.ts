/** The bodies of plans and comparisons in the API. */
import type { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import type { Queryable } from '../../../base/db/database.ts';
import {
  figuresOrReason,
  isWithheld,
  type LimitReason,
  type Viewer,
} from '../../../people/metering/figures.ts';
import {
  movedZips,
  pairTerritories,
  type ComparedTerritory,
} from '../../../territories/plans/compare.ts';
import {
  figuresOfPlan,
  formsOf,
  totalsByTerritory,
  type PlanTotals,
} from '../../../territories/plans/measures.ts';
import type { PlanSummary, SavedPlan } from '../../../territories/plans/plans.ts';
import { readPlanData } from '../../../territories/own-data/data-sets.ts';
import type { PlanBody, PlanSummaryBody } from './schema.ts';
import type { PlanComparisonBody } from './comparison-schema.ts';

export const summaryBody = ({
  id,
  name,
  market,
  zipCount,
  territoryCount,
  settings,
  version,
  ...plan
}: PlanSummary): z.output<typeof PlanSummaryBody> => ({
  id,
  name,
  market,
  zipCount,
  territoryCount,
  ...settings,
  version,
  createdBy: actorName(plan.createdBy),
  createdAt: plan.createdAt.toISOString(),
  changedBy: actorName(plan.changedBy),
  changedAt: plan.changedAt.toISOString(),
});

/** The reason for missing totals if the request opted out of them */
const TOTALS_OMITTED: LimitReason = {
  withheld: 'The request has totals=false. Remove it to get totals.',
};

/**
 * Returns the body of a plan.
 * @param db the process's database, which caches national borders
 * @param hasTotals whether to include totals. Without them, the plan's ZIP codes don't count as seen.
 */
export async function planBody(
  db: Queryable,
  viewer: Viewer,
  plan: SavedPlan,
  hasTotals = true,
): Promise<z.output<typeof PlanBody>> {
  const measures = await readPlanData(viewer.tenant, plan);
  const [forms, figures] = await Promise.all([
    formsOf(db, plan),
    hasTotals ? figuresOrReason(() => figuresOfPlan(viewer, plan, measures)) : TOTALS_OMITTED,
  ]);
  const assigned = new Set(plan.territories.flatMap(({ zips }) => zips));
  return {
    ...summaryBody(plan),
    territories: plan.territories.map(({ number, name, brand, zips }, i) => ({
      number,
      name,
      brand: brand?.slug ?? null,
      brandName: brand?.name ?? null,
      zips: [...zips],
      ...forms[i]!,
      ...(isWithheld(figures)
        ? { totals: null, deviationPct: null }
        : { totals: totalsBody(figures[i]!.totals), deviationPct: figures[i]!.deviationPct }),
    })),
    measures: measures.map(({ name }) => name),
    unassigned: plan.zips.filter((zip) => !assigned.has(zip)),
    withheld: isWithheld(figures) ? figures.withheld : null,
  };
}

const totalsBody = ({ zips, ...totals }: PlanTotals) => totals;

/** One side of a comparison */
interface ComparedState {
  /** Name of the plan, or `live` */
  name: string;
  territories: readonly ComparedTerritory[];
}

/** Returns the comparison of a plan with another state, by the plan's vertical and measures. */
export async function comparisonBody(
  viewer: Viewer,
  before: ComparedState,
  plan: SavedPlan,
): Promise<z.output<typeof PlanComparisonBody>> {
  const { name, territories, settings } = plan;
  const measures = await readPlanData(viewer.tenant, plan);
  const pairs = pairTerritories(before.territories, territories);
  const totals = (side: 'before' | 'after') =>
    totalsByTerritory(
      viewer,
      pairs.map((pair) => pair[side] ?? { zips: [] }),
      settings.vertical,
      measures,
    );
  const figures = await figuresOrReason(async () => ({
    before: await totals('before'),
    after: await totals('after'),
  }));
  const totalsOf = (side: 'before' | 'after', i: number) =>
    isWithheld(figures) || pairs[i]![side] === null ? null : totalsBody(figures[side][i]!);
  return {
    before: before.name,
    after: name,
    territories: pairs.map((pair, i) => ({
      before: pair.before?.name ?? null,
      after: pair.after?.name ?? null,
      zipsBefore: pair.before?.zips.length ?? 0,
      zipsAfter: pair.after?.zips.length ?? 0,
      gained: pair.gained,
      lost: pair.lost,
      totalsBefore: totalsOf('before', i),
      totalsAfter: totalsOf('after', i),
    })),
    moved: movedZips(pairs),
    withheld: isWithheld(figures) ? figures.withheld : null,
  };
}
