import { describe, expect, it } from 'vitest';
import { VERTICALS } from '../../../src/data/scoring/verticals.ts';
import { zipsOfMetro } from '../../../src/data/market/zips.ts';
import { queryTargeting } from '../../../src/territories/brands/targeting/targeting.ts';
import {
  percentagesOf,
  previewTargeting,
  weightsOf,
} from '../../../src/territories/brands/targeting/preview.ts';
import { publicWeights, setProfile } from '../../../src/territories/brands/targeting/profile.ts';
import { testDatabase } from '../../support/database.ts';
import { agent, organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('sample');
const { tenant } = await organizationWith(db);
const zips = await zipsOfMetro(db, 'dallas-tx');

describe('weights in percent', () => {
  it.each(VERTICALS.map(({ slug }) => slug))('of %s convert back to the public ones', (slug) => {
    const open = publicWeights(slug);
    expect(weightsOf(percentagesOf(open))).toEqual(open);
  });

  it('sum to 100 and omit signals without a weight', () => {
    const shown = percentagesOf({ householdsTotal: 3, medianAge: -1 });
    expect(shown).toMatchObject({ householdsTotal: 75, medianAge: -25, medianHomeValue: 0 });
    expect(weightsOf(shown)).toEqual({ householdsTotal: 0.75, medianAge: -0.25 });
  });
});

describe('the preview', () => {
  const weights = { medianAge: -0.5, householdsTotal: 0.5 };

  it('ranks like targeting after saving, and includes the current ranks', async () => {
    const asked = { vertical: 'moving', zips, weights, among: 'nation' } as const;
    const before = await previewTargeting(db, unlimitedViewer(tenant), asked, 20);
    expect(before.rows.some(({ rank, rankNow }) => rank !== rankNow)).toBe(true);
    await setProfile(tenant, agent, 'moving', weights);
    const targeted = await queryTargeting(
      db,
      unlimitedViewer(tenant),
      { vertical: 'moving', zips },
      { limit: 20 },
    );
    expect(before.rows.map(({ zip, score, rank }) => [zip, score, rank])).toEqual(
      targeted.rows.map(({ zip, score, rank }) => [zip, score, rank]),
    );
    const after = await previewTargeting(db, unlimitedViewer(tenant), asked, 20);
    expect(after.total).toBe(targeted.total);
    for (const row of after.rows) {
      expect([row.rankNow, row.scoreNow]).toEqual([row.rank, row.score]);
    }
  });

  it('refuses weights that cannot be saved', async () => {
    const asked = { vertical: 'roofing', zips, weights: {}, among: 'nation' } as const;
    await expect(previewTargeting(db, unlimitedViewer(tenant), asked, 5)).rejects.toMatchObject({
      status: 400,
    });
  });
});
