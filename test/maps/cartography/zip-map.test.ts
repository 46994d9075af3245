import sharp from 'sharp';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Queryable } from '../../../src/base/db/database.ts';
import { drawScoreMap, type ScoreMapRequest } from '../../../src/maps/cartography/score-map.ts';
import { drawStatusMap } from '../../../src/maps/cartography/status-map.ts';
import { placedZips, scoresOfZips } from '../../../src/data/market/zips.ts';
import { paletteOf } from '../../../src/data/basemap/palette.ts';
import { render } from '../../../src/render/render.ts';
import { loadStyle, STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { openUnderlay } from '../../../src/maps/cartography/underlay.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { mbtiles, pmtiles, PNG } from '../../render/tile-archives.ts';
import { pngOf } from '../../support/png-tiles.ts';

const { db } = await testDatabase('sample');
const renderer = mapsWith({ render });

const LOOK = { style: 'light', width: 600, height: 400, pixelRatio: 1 } as const;
const DALLAS: ScoreMapRequest = { ...LOOK, market: { metro: 'dallas-tx' }, vertical: 'roofing' };

/** Returns the share of pixels in a color of the style, blended with the land. */
async function shareOf(picture: Buffer, styleName: (typeof STYLE_NAMES)[number], color: string) {
  const { scores, land } = paletteOf(loadStyle(styleName))!;
  const hex = (css: string) => [1, 3, 5].map((at) => Number.parseInt(css.slice(at, at + 2), 16));
  const over = hex(color);
  const shown = hex(land).map((under, c) =>
    Math.round(over[c]! * scores.opacity + under * (1 - scores.opacity)),
  );
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let near = 0;
  for (let i = 0; i < data.length; i += 3) {
    if (shown.every((value, c) => Math.abs(data[i + c]! - value) <= 2)) near++;
  }
  return near / (data.length / 3);
}

describe('a score map', () => {
  it.each(STYLE_NAMES)('shows every score class of a metro in the style %s', async (style) => {
    const map = await drawScoreMap(db, renderer, { ...DALLAS, style });
    expect(await sharp(map.picture).metadata()).toMatchObject({
      format: 'png',
      width: 600,
      height: 400,
    });
    expect(map).toMatchObject({ missing: [], vintage: 'Sample data (synthetic; not ACS)' });
    expect(map.zips).toBeGreaterThan(200);
    expect(map.scored).toBeLessThanOrEqual(map.zips);
    for (const color of paletteOf(loadStyle(style))!.scores.colors) {
      expect(await shareOf(map.picture, style, color)).toBeGreaterThan(0.002);
    }
  });

  it('has the same bytes for the same request', async () => {
    const [a, b] = [
      await drawScoreMap(db, renderer, DALLAS),
      await drawScoreMap(db, renderer, DALLAS),
    ];
    expect(a.picture.equals(b.picture)).toBe(true);
  });

  it('draws each listed ZIP code once and reports those without a boundary', async () => {
    const map = await drawScoreMap(db, renderer, {
      ...DALLAS,
      market: { zips: ['75201', '75204', '75201', '99999'] },
      pixelRatio: 2,
    });
    expect(map).toMatchObject({ zips: 2, missing: ['99999'] });
    expect(await sharp(map.picture).metadata()).toMatchObject({ width: 1200, height: 800 });
  });

  it('draws the ZIP codes of a state', async () => {
    const delaware = await drawScoreMap(db, renderer, { ...DALLAS, market: { state: 'de' } });
    expect(delaware.zips).toBeGreaterThan(50);
    expect(delaware.zips).toBeLessThan(120);
  });

  it('can be WebP, have a custom title, and omit labels, legend, or title', async () => {
    const plain = await drawScoreMap(db, renderer, DALLAS);
    const webp = await drawScoreMap(db, renderer, { ...DALLAS, format: 'webp' });
    expect(webp.format).toBe('webp');
    expect(await sharp(webp.picture).metadata()).toMatchObject({ format: 'webp', width: 600 });
    const changes = [{ labels: false }, { legend: false }, { title: 'Ours' }, { title: '' }];
    const pictures = await Promise.all(
      changes.map((change) => drawScoreMap(db, renderer, { ...DALLAS, ...change })),
    );
    const different = [plain, ...pictures].map(({ picture }) => picture.toString('base64'));
    expect(new Set(different).size).toBe(5);
  });

  it('shows the requested view', async () => {
    const [zip] = await placedZips(db, ['75201']);
    const [west, south, east, north] = zip!.bbox;
    const center: [number, number] = [(west + east) / 2, (south + north) / 2];
    const scores = await scoresOfZips(db, ['75201'], 'roofing');
    const { breaks, colors } = paletteOf(loadStyle('light'))!.scores;
    const color = colors[breaks.filter((lower) => scores.get('75201')! >= lower).length]!;
    const far = await drawScoreMap(db, renderer, DALLAS);
    const near = await drawScoreMap(db, renderer, { ...DALLAS, camera: { center, zoom: 15 } });
    expect(await shareOf(near.picture, 'light', color)).toBeGreaterThan(0.4);
    expect(await shareOf(far.picture, 'light', color)).toBeLessThan(0.4);
  });

  it('can be transparent around the territory', async () => {
    const map = await drawScoreMap(db, renderer, { ...DALLAS, transparent: true });
    const { data, info } = await sharp(map.picture).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    const alphas = Array.from({ length: 600 * 400 }, (_, i) => data[4 * i + 3]);
    const share = (alpha: number) => alphas.filter((a) => a === alpha).length / alphas.length;
    expect(share(0)).toBeGreaterThan(0.3);
    expect(share(255)).toBeGreaterThan(0.3);
    expect(alphas[2 + 600 * 200]).toBe(0);
  });

  it.each<[string, Partial<ScoreMapRequest>, RegExp]>([
    [
      'an unknown vertical',
      { vertical: 'roof' },
      /no launched vertical "roof"\. Use one of: roofing, hvac/,
    ],
    [
      'a metro that is not launched',
      { market: { metro: 'boise-id' } },
      /no launched metro "boise-id"/,
    ],
    ['an unknown state', { market: { state: 'Ontario' } }, /no state "Ontario".*such as TX/],
    ['a malformed ZIP code', { market: { zips: ['7520'] } }, /five digits.*7520/],
    ['ZIP codes without any boundary', { market: { zips: ['99999'] } }, /None of these ZIP codes/],
    ['sides beyond the limits', { width: 0, height: 2049 }, /width must be.*1 to.*height must be/],
    ['a ratio beyond the limits', { pixelRatio: 4 }, /pixel ratio must be from 1 to 3/],
    [
      'more pixels than a picture may have',
      { width: 2048, height: 2048, pixelRatio: 2.01 },
      /more than 16 million pixels/,
    ],
  ])('refuses %s and names what it accepts', async (_name, change, why) => {
    await expect(drawScoreMap(db, renderer, { ...DALLAS, ...change })).rejects.toThrow(why);
  });
});

describe('a status map', () => {
  it('colors ZIP codes by status and names the vintage of the boundaries', async () => {
    const map = await drawStatusMap(db, renderer, {
      ...LOOK,
      live: ['75201', '75204'],
      pending: ['75203'],
      removed: ['75207', '99999'],
    });
    expect(map).toMatchObject({ zips: 4, scored: 0, missing: ['99999'] });
    expect(map.vintage).toBe('Sample data (synthetic; not ACS)');
    const { statuses } = paletteOf(loadStyle('light'))!;
    for (const status of ['live', 'pending', 'removed'] as const) {
      expect(await shareOf(map.picture, 'light', statuses[status])).toBeGreaterThan(0.01);
    }
  });

  it('draws a market in one color', async () => {
    const map = await drawStatusMap(db, renderer, { ...LOOK, market: { metro: 'dallas-tx' } });
    const { statuses, scores } = paletteOf(loadStyle('light'))!;
    expect(await shareOf(map.picture, 'light', statuses.plain)).toBeGreaterThan(0.15);
    expect(await shareOf(map.picture, 'light', scores.colors[4]!)).toBeLessThan(0.001);
  });

  it('says what is missing if there are no ZIP codes', async () => {
    const imports = 'An operator imports them with: territory-admin import zcta FILE.';
    const empty: Pick<Queryable, 'query'> = { query: async () => [] };
    await expect(
      drawStatusMap(empty as Queryable, renderer, { ...LOOK, market: { nation: true } }),
    ).rejects.toThrow(imports);
    await expect(drawStatusMap(db, renderer, { ...LOOK, live: [] })).rejects.toThrow(
      /^There are no ZIP codes to draw\.$/,
    );
  });

  it('refuses a ZIP code with two statuses', async () => {
    await expect(
      drawStatusMap(db, renderer, { ...LOOK, live: ['75201'], removed: ['75201'] }),
    ).rejects.toThrow('75201 is listed as live and as removed. List each ZIP code once.');
  });
});

describe('a map over imagery', () => {
  const WHOLE_WORLD = { z: 0, x: 0, y: 0 };
  const RED = [200, 30, 40, 255] as const;
  const file = (name: string, bytes: Uint8Array) => {
    const path = join(testFolder(), name);
    writeFileSync(path, bytes);
    return path;
  };

  it.each(['mbtiles', 'pmtiles'])('shows the tiles of a file as %s', async (format) => {
    const tiles = [{ ...WHOLE_WORLD, bytes: await pngOf(256, 256, () => RED) }];
    const metadata = {
      format: 'png',
      attribution: '<a href="https://a.example">&copy; Aerial</a>',
    };
    const bytes =
      format === 'mbtiles' ? await mbtiles(tiles, metadata) : pmtiles(tiles, { type: PNG });
    const underlay = await openUnderlay(file(`imagery.${format}`, bytes));
    onTestFinished(() => underlay.close());
    expect(underlay.attribution).toBe(format === 'mbtiles' ? '© Aerial' : null);

    const plain = await drawScoreMap(db, renderer, { ...DALLAS, labels: false });
    const { picture } = await drawScoreMap(db, renderer, { ...DALLAS, labels: false, underlay });
    const at = async (map: Buffer, left: number, top: number) => [
      ...(await sharp(map)
        .extract({ left, top, width: 1, height: 1 })
        .removeAlpha()
        .raw()
        .toBuffer()),
    ];
    // Beyond the metro, and on one of its ZIP codes, which stays translucent
    expect(await at(picture, 590, 20)).toEqual([200, 30, 40]);
    const over = await at(picture, 290, 260);
    expect(over).not.toEqual(await at(plain.picture, 290, 260));
    expect(over).not.toEqual([200, 30, 40]);
  });

  it('is refused for vector tiles, with what to use instead', async () => {
    const tiles = pmtiles([{ ...WHOLE_WORLD, bytes: new Uint8Array() }]);
    await expect(openUnderlay(file('streets.pmtiles', tiles))).rejects.toThrow(
      /streets\.pmtiles contains vector tiles: use an archive of pictures/,
    );
  });
});
