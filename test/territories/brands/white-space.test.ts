/** White space in and around a brand's territory. */
import { expect, it } from 'vitest';
import type { Caller } from '../../../src/people/account/caller.ts';
import { brandWhiteSpace } from '../../../src/territories/brands/targeting/brand-white-space.ts';
import { testDatabase } from '../../support/database.ts';
import { saveData } from '../own-data/saved.ts';
import { hold } from './holding.ts';
import { DALLAS, organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('sample');
const PHOENIX = ['85003', '85004', '85006', '85007'];

it('is nowhere where local amounts say nothing, such as in Phoenix with the jobs of Dallas', async () => {
  const { tenant, brands } = await organizationWith(db, 'North', 'West');
  const [north, west] = brands;
  await hold(tenant, north, DALLAS);
  await hold(tenant, west, PHOENIX);
  await saveData({ tenant }, 'Jobs', { [DALLAS[0]!]: 900, [DALLAS[1]!]: 900 });
  const caller = unlimitedViewer(tenant) as Caller;
  const options = { vertical: 'roofing', data: 'jobs', limit: 10 };
  const near = (await brandWhiteSpace(caller, north, options))!;
  expect(near.counts.white.held + near.counts.white.around).toBeGreaterThan(0);
  const far = (await brandWhiteSpace(caller, west, options))!;
  expect(far.best).toEqual([]);
  expect(far.counts.white).toEqual({ held: 0, around: 0 });
  expect(far.unknown.held).toBe(PHOENIX.length);
  expect(far.unknown.around).toBeGreaterThan(0);
});
