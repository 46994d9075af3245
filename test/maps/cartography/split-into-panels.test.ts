import { describe, expect, it } from 'vitest';
import { COMPOSITIONS } from '../../../src/maps/cartography/compositions.ts';
import { sheetFor } from '../../../src/maps/cartography/panels/single-map.ts';
import {
  splitIntoPanels,
  type PanelRequest,
} from '../../../src/maps/cartography/panels/split-into-panels.ts';
import type { PlacedZip } from '../../../src/data/market/zips.ts';
import type { Bbox } from '../../../src/base/spatial/bbox.ts';
import { Viewport } from '../../../src/base/spatial/camera.ts';
import { growRect, rectContains } from '../../../src/base/spatial/flat.ts';

const CITIES = {
  dallas: [-96.8, 32.8],
  fortWorth: [-97.3, 32.75],
  phoenix: [-112.1, 33.5],
  seattle: [-122.3, 47.6],
  miami: [-80.2, 25.8],
  denver: [-105, 39.7],
  chicago: [-87.65, 41.9],
  atlanta: [-84.4, 33.75],
  guam: [144.8, 13.5],
} as const;

/** ZIP codes of about 4 km by 4 km, in a block around a city. */
function zipsIn(city: keyof typeof CITIES, count: number): PlacedZip[] {
  const [lng, lat] = CITIES[city];
  const columns = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, i) => {
    const west = lng + (i % columns) * 0.04;
    const south = lat + Math.floor(i / columns) * 0.04;
    const bbox: PlacedZip['bbox'] = [west, south, west + 0.04, south + 0.04];
    return { zip: `${city} ${i}`, city: null, state: null, countyFips: null, bbox };
  });
}

function split(zips: PlacedZip[], change: Partial<PanelRequest> = {}) {
  const { width = 800, height = 600 } = change;
  return splitIntoPanels({
    zips,
    furnitureOf: () => ({ title: 'Star', vintage: 'Census' }),
    sheetOf: (furniture) => sheetFor(COMPOSITIONS.social, furniture, width, height),
    width,
    height,
    padding: { top: 24, right: 24, bottom: 36, left: 24 },
    ...change,
  });
}

const citiesOf = (territory: ReturnType<typeof split>) =>
  territory?.panels.map(({ zips }) => zips[0]!.zip.split(' ')[0]);

describe('splitIntoPanels', () => {
  it('makes a panel for each of two distant cities, largest first', () => {
    const territory = split([...zipsIn('phoenix', 6), ...zipsIn('dallas', 12)]);
    expect(citiesOf(territory)).toEqual(['dallas', 'phoenix']);
    expect(territory!.elsewhere).toEqual([]);
  });

  it('keeps areas that are close to each other on a single map', () => {
    expect(split([...zipsIn('dallas', 2), ...zipsIn('fortWorth', 2)])).toBeNull();
    expect(split(zipsIn('dallas', 30))).toBeNull();
    expect(split([])).toBeNull();
  });

  it('keeps areas that are large enough to see on a single map', () => {
    const state = (west: number): PlacedZip[] =>
      zipsIn('denver', 9).map((zip, i) => ({ ...zip, bbox: [west + i, 36, west + i + 1, 41] }));
    expect(split([...state(-110), ...state(-99)])).toBeNull();
  });

  it('keeps distant single ZIP codes on a single map, where dots locate them', () => {
    const singles = [zipsIn('seattle', 1), zipsIn('dallas', 1), zipsIn('miami', 1)].flat();
    expect(split(singles)).toBeNull();
    // Half of the ZIP codes are in areas of several, but not most of them.
    expect(split([...singles.slice(0, 2), ...zipsIn('miami', 2)])).toBeNull();
    expect(citiesOf(split([...singles.slice(0, 2), ...zipsIn('miami', 3)]))?.[0]).toBe('miami');
  });

  it('splits a territory on both sides of the antimeridian, even single ZIP codes', () => {
    const territory = split([...zipsIn('guam', 1), ...zipsIn('miami', 1)]);
    expect(citiesOf(territory)).toEqual(['guam', 'miami']);
  });

  it('makes as many panels as fit, and joins areas that are near each other if there are more', () => {
    const six = (['dallas', 'phoenix', 'seattle', 'miami', 'denver', 'chicago'] as const).flatMap(
      (city, i) => zipsIn(city, 12 - i),
    );
    expect(split(six)!.panels.length).toBe(6);
    const small = split(six, { width: 640, height: 480 });
    expect(small!.panels.length).toBeLessThanOrEqual(4);
    expect(small!.panels.flatMap(({ zips }) => zips).length).toBeGreaterThanOrEqual(0.8 * 57);
    expect(
      split([...zipsIn('dallas', 9), ...zipsIn('miami', 9)], { width: 300, height: 200 }),
    ).toBe(null);
  });

  it('notes the few ZIP codes outside all panels', () => {
    const cities = ['dallas', 'phoenix', 'seattle', 'denver'] as const;
    const zips = [...cities.flatMap((city) => zipsIn(city, 9)), ...zipsIn('miami', 2)];
    const territory = split(zips, { width: 700, height: 500 })!;
    expect(citiesOf(territory)).toEqual([...cities]);
    expect(territory.elsewhere.map(({ zip }) => zip)).toEqual(['miami 0', 'miami 1']);
    const texts = territory.sheet.arrange([]).cards.flatMap((card) => card.texts);
    expect(texts.map(({ text }) => text)).toContain('and 2 ZIP codes elsewhere');
  });

  it('uses the furniture of the ZIP codes shown', () => {
    const cities = ['dallas', 'phoenix', 'seattle', 'denver'] as const;
    const zips = [...cities.flatMap((city) => zipsIn(city, 9)), ...zipsIn('miami', 2)];
    const titles = split(zips, {
      width: 700,
      height: 500,
      furnitureOf: (shown) => ({ title: `${shown.length} of ${zips.length}` }),
    })!;
    expect(titles.furniture.title).toBe('36 of 38');
  });

  it('extends a panel to a marker near its area', () => {
    const zips = [...zipsIn('phoenix', 6), ...zipsIn('dallas', 12)];
    const marker = [-96.3, 32.9, -96.3, 32.9] as const;
    const [dallas, phoenix] = split(zips, { marks: [[...marker]] })!.panels;
    expect(dallas!.territory).toContainEqual(marker);
    expect(phoenix!.territory).toHaveLength(6);
    const { frame, camera } = dallas!;
    const view = new Viewport(camera, frame.maxX - frame.minX, frame.maxY - frame.minY);
    expect(rectContains(growRect(view.rect(view.bbox(0)), -9), view.rect([...marker]))).toBe(true);
  });

  it('keeps a single map for shapes around the world, without looking for areas', () => {
    const zips = [...zipsIn('phoenix', 6), ...zipsIn('dallas', 12)];
    // As many as an overlay may have: looking for areas around them would take minutes.
    const marks = Array.from({ length: 100 }, (): Bbox => [-180, -85, 180, 85]);
    expect(split(zips, { marks })).toBeNull();
  });

  it('keeps a single map for a marker that no panel would show', () => {
    const zips = [...zipsIn('phoenix', 6), ...zipsIn('dallas', 12)];
    expect(split(zips, { marks: [[...CITIES.miami, ...CITIES.miami]] })).toBeNull();
    const four = [...zips, ...zipsIn('seattle', 6), ...zipsIn('denver', 5), ...zipsIn('miami', 1)];
    const [width, height] = [640, 480];
    expect(split(four, { width, height })!.elsewhere).toHaveLength(1);
    const marks: Bbox[] = [[...CITIES.miami, ...CITIES.miami]];
    expect(split(four, { width, height, marks })).toBeNull();
  });
});
