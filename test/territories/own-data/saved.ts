/** A data set for a test. */
import type { Actor, Caller } from '../../../src/people/account/caller.ts';
import {
  findDataSet,
  saveUpload,
  type DataSet,
  type NewUpload,
} from '../../../src/territories/own-data/data-sets.ts';

const OPERATOR: Actor = { kind: 'operator', id: null, name: 'territory-admin' };

/** Saves amounts by ZIP code as a data set: by default a count, the sum of one row per ZIP code. */
export async function saveData(
  { tenant, actor = OPERATOR }: Pick<Caller, 'tenant'> & Partial<Pick<Caller, 'actor'>>,
  name: string,
  amounts: Readonly<Record<string, number>>,
  more: Partial<NewUpload> = {},
): Promise<DataSet> {
  const zips = Object.keys(amounts).sort();
  return tenant.transaction(async (tx) => {
    const upload: NewUpload = {
      name,
      addsUp: 'sum',
      unit: 'count',
      period: null,
      brandIds: null,
      zips,
      amounts: zips.map((zip) => amounts[zip]!),
      rows: zips.map(() => 1),
      report: {
        summary: 'A test.',
        rows: zips.length,
        counts: {},
        suppressedBelow: 0,
        suppressedZips: 0,
      },
      ...more,
    };
    const { id } = await saveUpload(tx, actor, upload, 50);
    return findDataSet(tx, id);
  });
}
