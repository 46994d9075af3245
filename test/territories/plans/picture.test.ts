import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { loadStyle } from '../../../src/data/basemap/styles.ts';
import {
  drawComparison,
  drawPlan,
  type DrawnPlan,
} from '../../../src/territories/plans/picture.ts';
import { render } from '../../../src/render/render.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { expectGolden } from '../../support/golden.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../brands/holding.ts';
import { DALLAS } from '../brands/organization.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const renderer = mapsWith({ render });
const look = { style: 'light', width: 600, height: 400, pixelRatio: 1 } as const;
const territory = (number: number, name: string, zips: readonly string[]) => ({
  number,
  name,
  brand: null,
  zips,
});
const PLAN = {
  name: 'Dallas 2027',
  market: '8 ZIP codes',
  zips: DALLAS,
  territories: [
    territory(1, 'North', DALLAS.slice(4)),
    territory(2, 'Center', DALLAS.slice(1, 3)),
    territory(4, 'West', DALLAS.slice(3, 4)),
  ],
} satisfies DrawnPlan;

describe('the picture of a plan', () => {
  it('has a color, a pattern, an outline, and a name for each territory', async () => {
    const { picture, legend } = await drawPlan(db, renderer, PLAN, look);
    expect(legend!.classes.map(({ label, mark }) => [label, mark])).toEqual([
      ['North · 4', undefined],
      ['Center · 2', 'hatch'],
      ['West · 1', 'falling'],
      ['Unassigned · 1', undefined],
    ]);
    expect(new Set(legend!.classes.map(({ color }) => color)).size).toBe(4);
    await expectGolden('plan', picture);
  });

  it('shows what is added, moved, and removed', async () => {
    const before = {
      name: 'live',
      territories: [
        territory(1, 'North', [...DALLAS.slice(5), DALLAS[1]!]),
        territory(2, 'South', DALLAS.slice(0, 1)),
      ],
    };
    const { picture, legend } = await drawComparison(db, renderer, { before, after: PLAN }, look);
    expect(legend!.classes.map(({ label }) => label)).toEqual([
      'Added to a territory · 3',
      'Moved to another territory · 1',
      'Removed from all territories · 1',
      'Unchanged · 3',
    ]);
    await expectGolden(
      'plan-difference-dark',
      (await drawComparison(db, renderer, { before, after: PLAN }, { ...look, style: 'dark' }))
        .picture,
    );
    expect(await shareOf(picture, legend!.classes[3]!.color)).toBeGreaterThan(0.02);
  });

  it('uses colors that differ from the land of each style', () => {
    for (const style of ['light', 'dark', 'muted'] as const) {
      const { land, territories } = paletteOf(loadStyle(style))!;
      expect(new Set([land, ...territories]).size).toBe(9);
    }
  });
});

describe('a request for a picture', async () => {
  const app = await serveKeyed(db, { renderer });
  const { key, caller } = await newKey(db);
  const get = (path: string) =>
    fetch(`${app.api}/agent/plans/${path}`, { headers: { ...bearer(key), ...newClient() } });

  it('costs units once for the same territories and options', async () => {
    await hold(caller.tenant, await createBrand(caller.tenant, { name: 'North' }), DALLAS.slice(4));
    await fetch(`${app.api}/agent/plans`, {
      method: 'POST',
      headers: { ...bearer(key), ...newClient(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Drawn', zips: DALLAS, start: 'live' }),
    });
    const before = await unitsUsed(caller.tenant);
    const first = await get('drawn/map.png?size=400x300&ratio=2');
    expect(first.headers.get('content-type')).toBe('image/png');
    const counts = `drawn=${DALLAS.length}, unlabeled=0, missing=0, elsewhere=0`;
    expect(first.headers.get('map-zip-codes')).toBe(counts);
    const bytes = Buffer.from(await first.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 800, height: 600 });
    expect(await unitsUsed(caller.tenant)).toBe(before + 5);
    const again = await get('Drawn/map.png?size=400x300&ratio=2');
    expect(Buffer.from(await again.arrayBuffer())).toEqual(bytes);
    expect(await unitsUsed(caller.tenant)).toBe(before + 5);
    const difference = await get('drawn/map.png?size=400x300&with=live');
    expect(difference.status).toBe(200);
    expect(await unitsUsed(caller.tenant)).toBe(before + 10);
  });

  it.each([
    ['nowhere/map.png', 404],
    ['drawn/map.png?with=nowhere', 404],
    ['drawn/map.png?size=9000x300', 400],
    ['drawn/map.png?other=1', 400],
  ])('is refused and free if it can’t be drawn: %s', async (path, status) => {
    const before = await unitsUsed(caller.tenant);
    expect((await get(path)).status).toBe(status);
    expect(await unitsUsed(caller.tenant)).toBe(before);
  });
});

/** The share of pixels with a color */
async function shareOf(picture: Buffer, css: string): Promise<number> {
  const wanted = css.match(/\d+/g)!.map(Number);
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let found = 0;
  for (let i = 0; i < data.length; i += 3) {
    if (wanted.every((value, c) => Math.abs(data[i + c]! - value) <= 2)) found++;
  }
  return (3 * found) / data.length;
}
