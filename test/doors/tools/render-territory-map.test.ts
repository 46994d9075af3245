import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { formatDay } from '../../../src/base/text/days.ts';
import { renderTerritoryMap } from '../../../src/doors/tools/render-territory-map.ts';
import { approveChange } from '../../../src/territories/brands/changes/decide.ts';
import { withdrawChange } from '../../../src/territories/brands/changes/withdraw.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, organizationWith, reviewer } from '../../territories/brands/organization.ts';
import { toolsFor } from './calls.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';
import { change, nextYear } from '../../territories/brands/changes/setting.ts';
import { hold, storeZips } from '../../territories/brands/holding.ts';

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'New');
await storeZips(tenant, brands[0], DALLAS, ['75203']);
const call = await toolsFor(db, tenant);
const draw = (input: Record<string, unknown>) => call(renderTerritoryMap, input);
const labels = (data: Record<string, unknown>) =>
  (data.legend as { label: string }[]).map(({ label }) => label);

const pixelsOf = ({ image }: Awaited<ReturnType<typeof draw>>) =>
  sharp(image!.bytes).greyscale().raw().toBuffer();

describe('a picture', () => {
  it('of a brand is colored by status, has a description, and costs five units', async () => {
    const before = await unitsUsed(tenant);
    const { data, text, image } = await draw({ brand: 'star' });
    expect(image!.type).toBe('image/png');
    const facts = { format: 'png', width: 800, height: 600 };
    expect(await sharp(image!.bytes).metadata()).toMatchObject(facts);
    expect(data).toMatchObject({
      pixelWidth: 800,
      pixelHeight: 600,
      bytes: image!.bytes.length,
      zipsDrawn: DALLAS.length,
      zipsMissing: [],
      zipsMissingCount: 0,
      vintage: 'Sample data (synthetic; not ACS)',
    });
    expect(labels(data)).toEqual(['Pending review', 'Live']);
    const [west, south, east, north] = data.bbox as number[];
    expect([west! < -96.8, east! > -96.8, south! < 32.78, north! > 32.78]).not.toContain(false);
    expect(data.zoom).toBeGreaterThan(8);
    expect(text).toContain(`Star: ${DALLAS.length} ZIP codes drawn on 800 x 600 pixels`);
    expect(await unitsUsed(tenant)).toBe(before + 5);
  });

  it.each(['light', 'dark'])(
    'of a brand hatches what approved changes add and remove, with their days, in %s',
    async (style) => {
      const { tenant: own, brands: planned } = await organizationWith(db, 'Planned');
      const tools = await toolsFor(db, own);
      const [leaves, arrives] = [DALLAS.slice(0, 1), DALLAS.slice(1, 2)];
      await hold(
        own,
        planned[0],
        DALLAS.filter((zip) => !arrives.includes(zip)),
      );
      const look = { brand: 'planned', style, labels: false, title: '', legend: true };
      const on = await nextYear(own);
      const parts = [{ brand: planned[0], added: arrives, removed: leaves }];
      const { id } = await change(own, parts, { on });
      const waiting = await tools(renderTerritoryMap, look);
      expect(labels(waiting.data)).toEqual(['Pending review', 'Live']);
      await own.transaction((tx) => approveChange(tx, reviewer, id!));
      const { data } = await tools(renderTerritoryMap, look);
      const day = formatDay(on.day);
      expect(labels(data)).toEqual([`Leaves on ${day}`, `Planned for ${day}`, 'Live']);
      // A ZIP code that leaves has lines, and no other one looks otherwise.
      const without = { ...look, legend: false };
      await own.transaction((tx) => withdrawChange(tx, reviewer, id!));
      const plain = await pixelsOf(await tools(renderTerritoryMap, without));
      await change(own, [{ brand: planned[0], added: [], removed: leaves }], { on });
      const hatched = await pixelsOf(await tools(renderTerritoryMap, without));
      const changed = hatched.filter((value, i) => value !== plain[i]).length / hatched.length;
      expect(changed).toBeGreaterThan(0.001);
      expect(changed).toBeLessThan(0.03);
    },
  );

  it('of a brand, a metro, or ZIP codes is colored by score with a vertical', async () => {
    const scores = ['0–19', '20–39', '40–59', '60–79', '80–100'];
    const OUTSIDE = 'Outside this market';
    // Only the metro has ZIP codes without a score.
    for (const [subject, others] of [
      [{ brand: 'star' }, [OUTSIDE]],
      [{ metro: 'denver-co' }, ['No data', OUTSIDE]],
      [{ zips: DALLAS }, [OUTSIDE]],
    ] as const) {
      const { data } = await draw({ ...subject, vertical: 'roofing', width: 300, height: 200 });
      expect(labels(data)).toEqual([...scores, ...others]);
    }
  });

  it('of ZIP codes has one color and lists ZIP codes without a boundary', async () => {
    const { data, text } = await draw({ zips: ['75201', '99999', '00000', '75201'] });
    expect(data).toMatchObject({ zipsDrawn: 1, zipsMissing: ['00000', '99999'], legend: [] });
    expect(text).toContain('Not drawn, no boundary: 00000, 99999.');
  });

  it('states how many ZIP codes have a number, and how many have neither label nor number', async () => {
    const metro = { metro: 'dallas-tx', vertical: 'roofing' };
    const { data } = await draw({ ...metro, width: 1000, height: 700 });
    expect(data.zipsNumbered).toBeGreaterThan(0);
    const small = await draw({ ...metro, width: 400, height: 300 });
    expect(small.data.zipsNumbered).toBe(0);
    expect(small.data.zipsUnlabeled).toBeGreaterThan(data.zipsUnlabeled as number);
    const sentence = `${small.data.zipsUnlabeled} ZIP codes in view without a label or number.`;
    expect(small.text).toContain(sentence);
    const one = await draw({ zips: ['75201'] });
    expect(one.data).toMatchObject({ zipsNumbered: 0, zipsUnlabeled: 0 });
    expect(one.text).not.toContain('without a label');
  });

  it('of cities far apart has a named panel for each', async () => {
    const { data, text } = await draw({ zips: [...DALLAS, '85003', '85004', '85006'] });
    const named = (data.panels as { caption: string }[]).map(({ caption }) => caption);
    expect(named.toSorted()).toEqual(['Dallas, TX', 'Phoenix, AZ']);
    expect(data.zipsElsewhere).toEqual([]);
    expect(text).toMatch(/In 2 panels, one for each area: .*Phoenix, AZ \(3 ZIP codes\)/);
    const near = await draw({ zips: DALLAS });
    expect(near.data.panels).toMatchObject([{ caption: null, zips: DALLAS.length }]);
    expect(near.text).not.toContain('panels');
  });

  it('follows every option', async () => {
    const small = { brand: 'star', width: 300, height: 200 };
    const plain = await draw(small);
    const changes = [
      { style: 'dark' },
      { title: 'Ours' },
      { title: '' },
      { labels: false },
      { legend: false },
      { ratio: 1.5 },
      { composition: 'square' },
      { scaleBar: true },
    ];
    const others = await Promise.all(changes.map((change) => draw({ ...small, ...change })));
    const pictures = [plain, ...others].map(({ image }) => image!.bytes.toString('base64'));
    expect(new Set(pictures).size).toBe(changes.length + 1);
    expect(labels(others[4]!.data)).toEqual([]);
    expect(others[5]!.data).toMatchObject({ pixelWidth: 450, pixelHeight: 300 });
    const { width, height } = await sharp(others[5]!.image!.bytes).metadata();
    expect([width, height]).toEqual([450, 300]);
  });

  it('of the maximum size is under one megabyte as base64', async () => {
    const largest = { metro: 'dallas-tx', vertical: 'hvac', width: 1400, height: 1142 };
    const { image } = await draw(largest);
    expect(image!.bytes.toString('base64').length).toBeLessThan(1_000_000);
  });

  it.each([
    [{}, 'bad_request', /^Give exactly one of brand, metro, and zips\.$/],
    [{ brand: 'star', metro: 'dallas-tx' }, 'bad_request', /^Give exactly one of/],
    [{ metro: 'dallas-tx' }, 'bad_request', /^A metro needs a vertical/],
    [{ metro: 'boise-id', vertical: 'hvac' }, 'not_found', /no launched metro "boise-id"/],
    [{ brand: 'nobody' }, 'not_found', /no brand "nobody".*star \(Star\)/],
    [{ brand: 'new' }, 'not_found', /^New holds no ZIP codes yet/],
    [{ zips: ['99999'] }, 'not_found', /^None of these ZIP codes has a boundary/],
    [{ zips: ['7520'] }, 'bad_request', /zips\.0: "7520" is not a string of five digits/],
    [{ brand: 'star', width: 2049 }, 'bad_request', /width/],
    [
      { brand: 'star', width: 2048, height: 2048, ratio: 3, fit: false },
      'bad_request',
      /2048 x 2048 at ratio 3 is more than 16 million pixels: use ratio 2 or a smaller size/,
    ],
    [{ brand: 'star', style: 'neon' }, 'bad_request', /style must be one of light, dark, muted/],
  ])('is refused for %j, for free', async (input, code, why) => {
    const before = await unitsUsed(tenant);
    const { isError, data } = await draw(input);
    expect([isError, data.code]).toEqual([true, code]);
    expect(data.error).toMatch(why);
    expect(await unitsUsed(tenant)).toBe(before);
  });

  it('is reduced to the largest size that fits, unless the full size is requested', async () => {
    const dark = { brand: 'star', style: 'dark', ratio: 2 };
    const { data, text, image } = await draw(dark);
    expect(data).toMatchObject({
      pixelWidth: 1456,
      pixelHeight: 1092,
      ratio: 1.82,
      reducedFrom: { width: 800, height: 600, ratio: 2 },
    });
    expect((await sharp(image!.bytes).metadata()).width).toBe(1456);
    expect(text).toContain(
      'Reduced to 800 x 600 at ratio 1.82: the requested 800 x 600 at ratio 2 has 1,920,000 pixels, ' +
        'and a picture in a response can have at most 1,600,000.',
    );
    const wide = await draw({ brand: 'star', width: 1920, height: 1080, labels: false });
    expect(wide.data).toMatchObject({ pixelWidth: 1686, pixelHeight: 948, ratio: 1 });
    const whole = await draw({ ...dark, fit: false });
    expect(whole.data).toMatchObject({ pixelWidth: 1600, pixelHeight: 1200, reducedFrom: null });
    expect(whole.text).not.toContain('Reduced');
  });

  it('is colored by a data set, or by its rate, and its legend counts ZIP codes', async () => {
    await saveData(
      { tenant },
      'Sales',
      { [DALLAS[0]!]: 1200, [DALLAS[1]!]: 300, [DALLAS[2]!]: 300 },
      { unit: 'dollars' },
    );
    await saveData({ tenant }, 'Ticket', { [DALLAS[0]!]: 5 }, { addsUp: 'mean' });
    const size = { width: 400, height: 300 };
    const sales = await draw({ ...size, brand: 'star', color: 'data:sales' });
    expect(labels(sales.data)).toEqual([
      '$300 · 2',
      '$1,200 · 1',
      'No data · 5',
      'Outside this market',
    ]);
    expect(sales.text).toContain('Colors by Sales: $300 · 2, ');
    const rate = await draw({ ...size, metro: 'dallas-tx', color: 'rate:sales', style: 'dark' });
    expect(rate.text).toContain('Colors by Sales per 1,000 owner households: $');
    for (const [input, why] of [
      [{ brand: 'star', color: 'rate:ticket' }, /means, which have no rate/],
      [{ brand: 'star', color: 'data:visits' }, /Available data sets: sales \(Sales\)/],
      [{ brand: 'star', color: 'sales' }, /color/],
      [{ brand: 'star', color: 'data:sales', vertical: 'roofing' }, /vertical or color, not both/],
    ] as const) {
      const { isError, text } = await draw(input);
      expect([isError, text]).toEqual([true, expect.stringMatching(why)]);
    }
    const narrow = await toolsFor(db, tenant, { brands: [brands[1]] });
    const hidden = await narrow(renderTerritoryMap, { ...size, zips: DALLAS, color: 'data:sales' });
    expect(labels(hidden.data)).toEqual(['No data · 8', 'Outside this market']);
  });

  it('is refused for a brand outside the key’s scope', async () => {
    const narrow = await toolsFor(db, tenant, { brands: [brands[1]] });
    const { data } = await narrow(renderTerritoryMap, { brand: 'star' });
    expect(data.code).toBe('not_found');
  });
});
