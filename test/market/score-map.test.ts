import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { launchedMetros } from '../../src/market/metros.ts';
import { drawScoreMap, type ScoreMapRequest } from '../../src/market/score-map.ts';
import { extentOfZips, scoredShapes, zipsOfMetro } from '../../src/market/zips.ts';
import { loadStyle, STYLE_NAMES } from '../../src/render/styles.ts';
import { paletteOf } from '../../src/render/palette.ts';
import { testDatabase } from '../support/database.ts';

const { db } = await testDatabase('sample');

const DALLAS: ScoreMapRequest = {
  market: { metro: 'dallas-tx' },
  vertical: 'roofing',
  style: 'light',
  width: 600,
  height: 400,
  pixelRatio: 1,
};

/** The share of a picture that has each colour, by `r,g,b`. */
async function colorShares(png: Buffer): Promise<Map<string, number>> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const shares = new Map<string, number>();
  for (let i = 0; i < data.length; i += 3) {
    const color = `${data[i]},${data[i + 1]},${data[i + 2]}`;
    shares.set(color, (shares.get(color) ?? 0) + 1 / (info.width * info.height));
  }
  return shares;
}

describe('the score map', () => {
  it.each(STYLE_NAMES)('of a metro shows every score class in the style %s', async (style) => {
    const map = await drawScoreMap(db, { ...DALLAS, style });
    expect(await sharp(map.png).metadata()).toMatchObject({
      format: 'png',
      width: 600,
      height: 400,
    });
    expect(map).toMatchObject({ missing: [], vintage: 'Sample data (synthetic; not ACS)' });
    expect(map.zips).toBeGreaterThan(200);
    expect(map.scored).toBeLessThanOrEqual(map.zips);
    // The fills lie translucent over the land: a colour close to each class must be there.
    const { scores, land } = paletteOf(loadStyle(style))!;
    const shares = await colorShares(map.png);
    for (const color of scores.colors) {
      const over = await sharp({ create: { width: 1, height: 1, channels: 3, background: land } })
        .composite([{ input: { create: { width: 1, height: 1, channels: 4, background: color } } }])
        .raw()
        .toBuffer();
      const under = await sharp({ create: { width: 1, height: 1, channels: 3, background: land } })
        .raw()
        .toBuffer();
      const blended = [0, 1, 2].map((c) =>
        Math.round(over[c]! * scores.opacity + under[c]! * (1 - scores.opacity)),
      );
      const near = [...shares].filter(([key]) =>
        key.split(',').every((value, c) => Math.abs(Number(value) - blended[c]!) <= 2),
      );
      expect(near.reduce((sum, [, share]) => sum + share, 0)).toBeGreaterThan(0.002);
    }
  });

  it('of the same request has the same bytes', async () => {
    const [a, b] = [await drawScoreMap(db, DALLAS), await drawScoreMap(db, DALLAS)];
    expect(a.png.equals(b.png)).toBe(true);
  });

  it('of ZIPs draws each once and tells those that have no boundary', async () => {
    const map = await drawScoreMap(db, {
      ...DALLAS,
      market: { zips: ['75201', '75204', '75201', '99999'] },
      pixelRatio: 2,
    });
    expect(map).toMatchObject({ zips: 2, missing: ['99999'] });
    expect(await sharp(map.png).metadata()).toMatchObject({ width: 1200, height: 800 });
  });

  it.each<[string, Partial<ScoreMapRequest>, RegExp]>([
    ['an unknown vertical', { vertical: 'roof' }, /no vertical "roof"\. There are: roofing, hvac/],
    [
      'a metro that is not launched',
      { market: { metro: 'boise-id' } },
      /no launched metro "boise-id"/,
    ],
    ['a malformed ZIP', { market: { zips: ['7520'] } }, /five digits.*7520/],
    ['ZIPs without any boundary', { market: { zips: ['99999'] } }, /None of these ZIPs/],
  ])('refuses %s with what would be right', async (_name, change, why) => {
    await expect(drawScoreMap(db, { ...DALLAS, ...change })).rejects.toThrow(why);
  });
});

describe('the launched metros', () => {
  it.each(launchedMetros().map((m) => m.slug))('have ZIPs with scores: %s', async (slug) => {
    const zips = await zipsOfMetro(db, slug);
    const shapes = await scoredShapes(db, zips, 'hvac', 2);
    expect(shapes).toHaveLength(zips.length);
    expect(shapes.filter((s) => s.score !== null).length).toBeGreaterThan(40);
    const [west, south, east, north] = (await extentOfZips(db, zips))!;
    // The largest, Los Angeles and Phoenix, span two to three degrees.
    expect(east - west).toBeLessThan(6);
    expect(north - south).toBeLessThan(4);
  });
});
