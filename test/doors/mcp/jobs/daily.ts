/** Ten jobs of a franchise manager's week. */
import { expect } from 'vitest';
import type { Job } from './agent.ts';

const BRAND = 'desert-air-hvac';
const zipsOf = (rows: { zip: string }[]) => rows.map(({ zip }) => zip);

export const DAILY_JOBS: readonly Job[] = [
  {
    name: 'what happens if we give up the ZIP codes that two brands share',
    calls: 2,
    async run({ call }) {
      const { zips } = await call('get_brand_territory', { brand: BRAND, flag: 'shared' });
      const { preview } = await call('remove_territory', { brand: BRAND, zips: zipsOf(zips) });
      expect(preview.effect.before.shared).toBeGreaterThan(0);
      expect(preview.effect.after).toMatchObject({ shared: 0 });
      expect(preview.effect.after.households).toBeLessThan(preview.effect.before.households);
    },
  },
  {
    name: 'whether a territory can do without a ZIP code',
    calls: 2,
    async run({ call }) {
      const { zips } = await call('get_brand_territory', { brand: BRAND, limit: 200 });
      const { preview, text } = await call('remove_territory', {
        brand: BRAND,
        zips: [zips[0].zip],
      });
      const { before, after, newHoles, newGaps, cutOff } = preview.effect;
      expect(after.zips).toBe(before.zips - 1);
      expect([newHoles, newGaps, cutOff]).toEqual(Array(3).fill(expect.any(Array)));
      expect(text).toContain('Effect on the territory');
    },
  },
  {
    name: 'which of five ZIP codes suits a second office',
    calls: 1,
    async run({ call }) {
      const zips = ['85003', '85015', '85018', '85251', '85281'];
      const ranked = await call('score_territory', { vertical: 'hvac', zips });
      expect(zipsOf(ranked.zips).toSorted()).toEqual(zips);
      expect(ranked.zips[0].rank).toBe(1);
    },
  },
  {
    name: 'what waits for review',
    calls: 1,
    async run({ call }) {
      const { reviews, totalPending } = await call('list_pending_review');
      expect(totalPending).toBeGreaterThan(0);
      expect(reviews[0]).toMatchObject({ status: 'pending', brandName: expect.any(String) });
    },
  },
  {
    name: 'drop the weakest ZIP codes without splitting the territory',
    calls: 3,
    async run({ call, change }) {
      const { zips } = await call('compare_brand_to_scores', {
        brand: BRAND,
        vertical: 'hvac',
        keepFrom: 60,
      });
      const cut = zips.find(
        (zip: { advice: string; splitsOff: string[] }) =>
          zip.advice === 'cut' && zip.splitsOff.length === 0,
      );
      const { preview, done } = await change('remove_territory', { brand: BRAND, zips: [cut.zip] });
      const { before, after } = preview.preview.effect;
      expect(after.pieces).toBeLessThanOrEqual(before.pieces);
      expect([...done.live, ...done.pending]).toEqual([cut.zip]);
    },
  },
  {
    name: 'our share of each market',
    calls: 1,
    async run({ call }) {
      const { brands } = await call('get_brand_health', { vertical: 'hvac' });
      expect(brands).toHaveLength(2);
      for (const { markets } of brands) expect(markets[0].heldPct).toBeGreaterThan(0);
    },
  },
  {
    name: 'a map for a prospect for a week, without names, then withdrawn',
    calls: 5,
    async run({ call, change }) {
      const { done } = await change('share_territory_map', {
        brand: BRAND,
        kind: 'zip_snapshot',
        expiresInDays: 7,
        hideBranding: true,
        title: 'For a prospect',
      });
      expect(await (await fetch(done.metaUrl)).text()).not.toContain('Desert Air');
      const { links } = await call('list_share_links');
      const link = links.find(({ title }: { title: string }) => title === 'For a prospect');
      await change('revoke_share_link', { link: link.code });
      expect((await fetch(done.metaUrl)).status).toBe(404);
    },
  },
  {
    name: 'who removed ZIP codes this month',
    calls: 1,
    async run({ call }) {
      const { entries } = await call('get_activity', {
        scope: 'organization',
        action: 'territory_removed',
        since: '30d',
      });
      expect(entries[0].by).toMatch(/\w/);
      expect(entries[0].zips.length).toBeGreaterThan(0);
    },
  },
  {
    name: 'old homes for plumbing in Phoenix, with the number of households',
    calls: 1,
    async run({ call }) {
      const { zips, total } = await call('query_targeting', {
        vertical: 'plumbing',
        metro: 'phoenix-az',
        limit: 10,
        filters: { homeAgePre1980Pct: { min: 40 } },
        fields: ['householdsTotal', 'medianYearBuilt'],
      });
      expect(total).toBeGreaterThan(0);
      for (const { figures } of zips) {
        expect(Object.keys(figures).toSorted()).toEqual([
          'homeAgePre1980Pct',
          'householdsTotal',
          'medianYearBuilt',
        ]);
      }
    },
  },
  {
    name: 'who is around a customer’s address, in the metro only',
    calls: 1,
    async run({ call }) {
      const { zips } = await call('discover_zips', {
        vertical: 'hvac',
        nearPoint: { lat: 33.45, lng: -112.07 },
        radiusMiles: 6,
        metro: 'phoenix-az',
        minScore: 50,
      });
      expect(zips.length).toBeGreaterThan(0);
      for (const { distanceMiles } of zips) expect(distanceMiles).toBeLessThanOrEqual(6);
    },
  },
];
