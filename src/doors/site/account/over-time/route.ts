/** Territories over time: a comparison of two days, who held a ZIP code, and the days of changes. */
import { recordedDays } from '../../../../people/account/days/as-of.ts';
import { EXPORT_TYPES } from '../../../../base/contract/export-formats.ts';
import { csvLines } from '../../../../base/text/csv.ts';
import { badRequest, ServiceError } from '../../../../errors.ts';
import { brandsInScope } from '../../../../territories/brands/brands.ts';
import { listDataSets } from '../../../../territories/own-data/data-sets.ts';
import { changedDays } from '../../../../territories/record/changed-days.ts';
import { comparisonTable } from '../../../../territories/record/comparison.ts';
import { zipHistory } from '../../../../territories/record/zip-history.ts';
import { attachment, type MemberData } from '../../framework/data.ts';
import type { Page } from '../../framework/page.ts';
import { compared } from './compared.ts';
import { OVER_TIME_PATH, overTimePage } from './view.ts';

export const overTimeRoute: Page<'account'> = {
  audience: 'account',
  path: OVER_TIME_PATH,
  async show({ caller, query, links }) {
    const { tenant, brandScope } = caller;
    const zip = query.get('zip')?.trim() || null;
    const [brands, sets, recorded, days, asked, periods] = await Promise.all([
      brandsInScope(tenant, brandScope),
      listDataSets(tenant),
      recordedDays(tenant),
      changedDays(tenant, brandScope),
      orProblem(compared(caller, query)),
      zip === null ? null : orProblem(historyOf(caller, zip)),
    ]);
    return overTimePage({ query, brands, sets, recorded, days, asked, zip, periods }, links);
  },
};

async function historyOf(
  { tenant, brandScope }: Parameters<typeof compared>[0],
  zip: string,
): ReturnType<typeof zipHistory> {
  if (!/^\d{5}$/.test(zip)) throw badRequest('Enter the five digits of a ZIP code, such as 75201.');
  return zipHistory(tenant, brandScope, zip);
}

/** A part of the page that can't be shown says why, and the others stay. */
async function orProblem<T>(work: Promise<T>): Promise<T | { problem: string }> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) return { problem: error.message };
    throw error;
  }
}

export const overTimeCsv: MemberData = {
  audience: 'member',
  path: `${OVER_TIME_PATH}/changes.csv`,
  type: EXPORT_TYPES.csv,
  async answer({ caller, query }) {
    const { comparison, data } = await compared(caller, query);
    const { columns, rows } = comparisonTable(comparison, data);
    return {
      body: csvLines([columns, ...rows]),
      headers: attachment(EXPORT_TYPES.csv, 'territory-changes.csv'),
    };
  },
};
