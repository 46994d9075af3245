/** The first twelve jobs that tested the tools. Most of them needed many calls or failed then. */
import { expect } from 'vitest';
import type { Job } from './agent.ts';

const BRAND = 'lone-star-roofing';
const zipsOf = (rows: { zip: string }[]) => rows.map(({ zip }) => zip);

export const REPORTED_JOBS: readonly Job[] = [
  {
    name: 'the 15 best connected roofing ZIP codes in Dallas that we don’t hold',
    calls: 1,
    async run({ call }) {
      const market = { vertical: 'roofing', metro: 'dallas-tx' };
      const { zips, pieces } = await call('score_territory', {
        ...market,
        size: 15,
        contiguous: true,
        excludeHeld: true,
      });
      expect(zips).toHaveLength(15);
      expect(pieces).toBe(1);
      for (const { heldBy } of zips) expect(heldBy).toEqual([]);
    },
  },
  {
    name: 'why 75201 scores what it does for HVAC',
    calls: 1,
    async run({ call }) {
      const { explanation, text } = await call('get_zip_profile', {
        zip: '75201',
        vertical: 'hvac',
      });
      expect(explanation.signals.length).toBeGreaterThan(5);
      expect(text).toContain(`Why HVAC is ${explanation.score}`);
      expect(text).toContain('Could raise it most');
    },
  },
  {
    name: 'a dark picture for a dense screen',
    calls: 1,
    async run({ call }) {
      const { media, text } = await call('render_territory_map', {
        brand: BRAND,
        style: 'dark',
        ratio: 2,
      });
      expect(media).toEqual(['image/png']);
      expect(text).toMatch(/\d+x\d+|\d+ x \d+/);
    },
  },
  {
    name: 'units left, and what used them',
    calls: 2,
    async run({ call }) {
      await call('list_brands');
      const { usage, usageByTool, usageByDay } = await call('get_capabilities');
      expect(usage.unitsRemaining).toBe(usage.unitsIncluded - usage.unitsUsed);
      const tools = usageByTool.map(({ tool }: { tool: string }) => tool);
      expect(tools).toContain('service_list_brands');
      expect(usageByDay[0].units).toBeGreaterThan(0);
    },
  },
  {
    name: 'Texas ZIP codes by income, ownership, and age of homes',
    calls: 1,
    async run({ call }) {
      const { zips } = await call('query_targeting', {
        vertical: 'roofing',
        state: 'TX',
        limit: 25,
        fields: ['medianYearBuilt'],
        filters: { medianHouseholdIncome: { min: 8e4 }, ownerOccupiedPct: { min: 65 } },
      });
      expect(zips).toHaveLength(25);
      for (const { figures } of zips) {
        expect(figures.medianHouseholdIncome).toBeGreaterThanOrEqual(80_000);
        expect(figures.ownerOccupiedPct).toBeGreaterThanOrEqual(65);
        expect(figures).toHaveProperty('medianYearBuilt');
      }
    },
  },
  {
    name: 'balance two brands',
    calls: 1,
    async run({ call }) {
      const { proposal } = await call('get_brand_health', { balance: [BRAND, 'desert-air-hvac'] });
      expect(proposal.moves.length).toBeGreaterThan(0);
      const far = (rows: { deviationPct: number }[]) => Math.abs(rows[0]!.deviationPct);
      expect(far(proposal.after)).toBeLessThan(far(proposal.before));
    },
  },
  {
    name: 'ZIP codes within a 20-minute drive',
    calls: 1,
    async run({ call }) {
      const { zips } = await call('discover_zips', {
        vertical: 'roofing',
        nearZip: '75201',
        minutes: 20,
      });
      expect(zipsOf(zips)).toContain('75204');
    },
  },
  {
    name: 'expand within 10 miles, in Texas only',
    calls: 1,
    async run({ call }) {
      const { zips } = await call('discover_zips', {
        vertical: 'roofing',
        brand: BRAND,
        radiusMiles: 10,
        state: 'TX',
      });
      expect(zips.length).toBeGreaterThan(5);
      for (const { state } of zips) expect(state).toBe('TX');
    },
  },
  {
    name: 'what changed this week',
    calls: 1,
    async run({ call }) {
      const { totals } = await call('get_activity', { since: '7d', scope: 'organization' });
      expect(totals).toContainEqual(
        expect.objectContaining({ brand: BRAND, action: 'territory_approved' }),
      );
    },
  },
  {
    name: 'a map of a brand to share',
    calls: 2,
    async run({ change }) {
      const { done } = await change('share_territory_map', {
        brand: BRAND,
        title: 'Where we roof',
      });
      expect((await fetch(done.metaUrl)).status).toBe(200);
    },
  },
  {
    name: 'request the best free neighbors of a brand',
    calls: 3,
    async run({ call, change }) {
      const advice = { brand: BRAND, vertical: 'roofing', addFrom: 70, limit: 10 };
      const { zips } = await call('compare_brand_to_scores', advice);
      const free = zips.filter(
        (zip: { advice: string; heldBy: string[] }) =>
          zip.advice === 'add' && zip.heldBy.length === 0,
      );
      const wanted = zipsOf(free).slice(0, 3);
      const { preview, done } = await change('apply_territory', { brand: BRAND, zips: wanted });
      const { before, after } = preview.preview.effect;
      expect(after.zips).toBe(before.zips + 3);
      expect(after.pieces).toBeLessThanOrEqual(before.pieces);
      expect(done.queued).toEqual(wanted.toSorted());
    },
  },
  {
    name: 'restore a ZIP code that was removed',
    calls: 6,
    async run({ call, change }) {
      const listed = await call('get_brand_territory', { brand: BRAND, status: 'live', limit: 1 });
      await change('remove_territory', { brand: BRAND, zips: zipsOf(listed.zips) });
      const { entries } = await call('get_activity', { action: 'territory_removed', limit: 1 });
      expect(entries[0].undoable).toBe(true);
      const { done } = await change('apply_territory', { brand: BRAND, zips: entries[0].zips });
      expect(done.queued).toEqual(entries[0].zips);
    },
  },
];
