/** Golden pictures of the sample data. UPDATE=1 rewrites them: look at each before committing it. */
import { describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { COMPOSITIONS } from '../../../src/maps/cartography/compositions.ts';
import { drawScoreMap, type ScoreMapRequest } from '../../../src/maps/cartography/score-map.ts';
import { drawStatusMap, type StatusMapRequest } from '../../../src/maps/cartography/status-map.ts';
import { pinSources, type Pin } from '../../../src/maps/cartography/place-pins.ts';
import { albersRegionOf, projectAlbers } from '../../../src/base/spatial/albers-usa.ts';
import { resolveMarket } from '../../../src/data/market/market.ts';
import { render } from '../../../src/render/render.ts';
import { MAP_DATASETS } from '../../../src/maps/cartography/zip-map.ts';
import { SAMPLE_STREETS } from '../../../src/base/geodata/project-files.ts';
import { openStreets } from '../../../src/data/streets/streets.ts';
import { testDatabase } from '../../support/database.ts';
import { expectGolden } from '../../support/golden.ts';
import { testLog } from '../../support/log.ts';

describe('a map of the sample data', async () => {
  const { db } = await testDatabase('sample');
  const renderer = mapsWith({ render });
  const look = { style: 'light', width: 600, height: 400, pixelRatio: 1 } as const;

  const scores: [string, Partial<ScoreMapRequest> & Pick<ScoreMapRequest, 'market'>][] = [
    ['metro', { market: { metro: 'dallas-tx' } }],
    ['metro-dark-2x', { market: { metro: 'seattle-wa' }, style: 'dark', pixelRatio: 2 }],
    ['state-muted', { market: { state: 'CO' }, style: 'muted' }],
    ['one-zip', { market: { zips: ['60614'] } }],
    ['three-zips', { market: { zips: ['98101', '75201', '33131'] }, style: 'muted' }],
    ['transparent', { market: { metro: 'denver-co' }, transparent: true }],
    ['small', { market: { metro: 'chicago-il' }, width: 256, height: 256 }],
  ];
  it.each(scores)('looks the same by score: %s', async (name, change) => {
    const map = await drawScoreMap(db, renderer, { ...look, vertical: 'roofing', ...change });
    await expectGolden(`sample-${name}`, map.picture);
  });

  it.each(['light', 'dark'] as const)('looks the same with places: %s', async (style) => {
    const { zips } = await resolveMarket(db, { metro: 'dallas-tx' });
    const shops = Array.from({ length: 7 }, (_, i): Pin => {
      const lngLat: Pin['lngLat'] = [-96.63 + 0.02 * Math.cos(i), 32.91 + 0.02 * Math.sin(2 * i)];
      return { kind: 'store', name: `Shop ${i}`, lngLat };
    });
    const map = await drawStatusMap(db, renderer, {
      ...look,
      style,
      live: zips,
      pins: [
        ...shops,
        { kind: 'office', name: 'Lone Star Roofing', lngLat: [-96.8, 32.78] },
        { kind: 'depot', name: 'Mesquite depot', lngLat: [-96.6, 32.6] },
        { kind: 'other', name: 'Training center', lngLat: [-97.1, 32.5] },
        { kind: 'competitor', name: 'Storm Pros', lngLat: [-97.33, 32.9] },
      ],
    });
    await expectGolden(`sample-places-${style}`, map.picture);
  });

  it('puts places of the whole country where their ZIP codes are', async () => {
    const at = { honolulu: [-157.86, 21.31], anchorage: [-149.9, 61.2], 'san juan': [-66.1, 18.4] };
    const pins = Object.entries(at).map(([name, lngLat]): Pin => {
      return { kind: 'office', name, lngLat: lngLat as Pin['lngLat'] };
    });
    const { 'own-places': placed } = pinSources(pins, true);
    for (const [i, state] of (['HI', 'AK', 'PR'] as const).entries()) {
      const [lng, lat] = placed![i]!.geometry.coordinates;
      expect([lng, lat]).toEqual(projectAlbers(albersRegionOf(state), pins[i]!.lngLat));
    }
  });

  const overStreets: [string, StatusMapRequest][] = [
    ['streets', { ...look, style: 'light', live: ['75201', '75202'], pending: ['75207'] }],
    ['streets-dark', { ...look, style: 'dark', live: ['75219', '75204'] }],
    ['streets-muted', { ...look, style: 'muted', market: { zips: ['75226'] } }],
  ];
  it.each(overStreets)('looks the same over streets: %s', async (name, request) => {
    const streets = await openStreets(SAMPLE_STREETS, testLog());
    const maps = mapsWith({ render }, streets);
    const { picture } = await maps
      .data(db, MAP_DATASETS)
      .read((data) => drawStatusMap(data, maps, request));
    await expectGolden(`sample-${name}`, picture);
    await streets.close();
  });

  it('looks the same for the country, with the ZIP codes of the states and Puerto Rico', async () => {
    const request = { ...look, vertical: 'roofing', market: { nation: true } } as const;
    const map = await drawScoreMap(db, renderer, request);
    await expectGolden('sample-country', map.picture);
    const [drawn] = await db.query<{ count: number }>(
      `select count(*) from zips where state not in ('AS', 'GU', 'MP', 'VI')`,
    );
    expect(map.zips).toBe(drawn!.count);
  });

  it('looks the same by status', async () => {
    const map = await drawStatusMap(db, renderer, {
      ...look,
      live: ['75201', '75202', '75204', '75219', '75226'],
      pending: ['75203', '75208', '75215'],
      removed: ['75207', '75212'],
      shared: ['75204', '75203'],
      isolated: ['75226'],
    });
    await expectGolden('sample-status', map.picture);
  });

  it.each(['story', 'banner'] as const)('looks the same as a %s', async (composition) => {
    const { width, height, pixelRatio } = COMPOSITIONS[composition];
    const map = await drawScoreMap(db, renderer, {
      ...look,
      width,
      height,
      pixelRatio,
      composition,
      market: { metro: 'tampa-fl' },
      vertical: 'hvac',
      classes: 'quantiles',
      scaleBar: true,
    });
    await expectGolden(`sample-${composition}`, map.picture);
  });

  const dallas = ['75201', '75202', '75204', '75205', '75206', '75214', '75219', '75223', '75226'];
  const phoenix = ['85003', '85004', '85006', '85007', '85008', '85012', '85013', '85016'];
  const miami = ['33125', '33126', '33127', '33129'];
  const chicago = ['60605', '60607', '60608', '60610', '60614'];
  const panels: [string, StatusMapRequest][] = [
    ['two', { ...look, live: [...dallas, ...phoenix], pending: ['75203', '75215', '85018'] }],
    [
      'three-dark-2x',
      { ...look, live: [...dallas, ...miami], pending: phoenix, style: 'dark', pixelRatio: 2 },
    ],
    [
      'four-tall-muted',
      {
        ...look,
        style: 'muted',
        width: 600,
        height: 900,
        live: [...dallas, ...phoenix],
        pending: [...chicago, ...miami],
        removed: ['98101'],
      },
    ],
  ];
  it.each(panels)('looks the same in panels: %s', async (name, request) => {
    const map = await drawStatusMap(db, renderer, request);
    await expectGolden(`sample-panels-${name}`, map.picture);
  });

  it('looks the same in panels by score', async () => {
    const zips = [...dallas, ...phoenix, ...miami, ...chicago];
    const request = { ...look, market: { zips }, vertical: 'hvac', width: 1200, height: 630 };
    const map = await drawScoreMap(db, renderer, request);
    await expectGolden('sample-panels-score', map.picture);
  });
});
