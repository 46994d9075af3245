import { expect, it } from 'vitest';
import { loadSprite } from '../../../src/data/basemap/sprite.ts';
import { loadStyle } from '../../../src/data/basemap/styles.ts';
import type { Layouts } from '../../../src/maps/cartography/map-data.ts';
import { MapLayout } from '../../../src/maps/cartography/map-layout.ts';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { drawScoreMap, type ScoreMapRequest } from '../../../src/maps/cartography/score-map.ts';
import { loadView } from '../../../src/maps/cartography/zip-scene.ts';
import { placedZips, zipsOfMetro } from '../../../src/data/market/zips.ts';
import { render } from '../../../src/render/render.ts';
import { bboxAround, type Bbox } from '../../../src/base/spatial/bbox.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const LOOK = { style: 'light', width: 1200, height: 800, pixelRatio: 1 } as const;
const market = { metro: 'seattle-wa' };
const FEW = { zips: ['59001', '59301', '59718', '83301', '97914'] };

/** Maps of few views that differ in what hides labels: insets, titles, dots, markers, and the look of labels */
const MAPS: Record<string, Partial<ScoreMapRequest>> = {
  plain: {},
  'without insets': { insets: false },
  'another vertical': { vertical: 'professional-services' },
  'scores on labels': { zipLabels: 'both' },
  'a long title': { title: 'Where homes are old and owners stay for many years' },
  dark: { style: 'dark' },
  dots: { market: FEW },
  'dots of another vertical': { market: FEW, vertical: 'moving' },
  markers: {
    overlay: [
      {
        type: 'Feature',
        properties: {
          stroke: '#000000',
          strokeWidth: 1,
          strokeOpacity: 1,
          fill: '#000000',
          fillOpacity: 1,
          marker: '#aa0000',
          ink: '#ffffff',
          symbol: 'a',
        },
        geometry: { type: 'Point', coordinates: [-122.3, 47.6] },
      },
    ],
  },
};

/** Draws the maps with an empty memory. @param stamp of data that no test had before */
async function drawAll(
  names: readonly string[],
  stamp: string,
  layouts?: Layouts,
): Promise<Map<string, Buffer>> {
  const data = { query: db.query, stamp, ...(layouts && { layouts }) };
  const drawn = new Map<string, Buffer>();
  for (const name of names) {
    const request = { ...LOOK, market, vertical: 'roofing', ...MAPS[name] };
    drawn.set(name, (await drawScoreMap(data, mapsWith({ render }), request)).picture);
  }
  return drawn;
}

it('a map has the same bytes whatever the thread drew before', async () => {
  const names = Object.keys(MAPS);
  const [forth, back] = [await drawAll(names, 'forth'), await drawAll(names.toReversed(), 'back')];
  for (const [name, picture] of forth) {
    const alone = (await drawAll([name], `alone ${name}`)).get(name)!;
    expect({ name, alone: alone.equals(picture), back: back.get(name)!.equals(picture) }).toEqual({
      name,
      alone: true,
      back: true,
    });
  }
});

it('a map has the same bytes with the layout that an earlier process found, and finds nothing again', async () => {
  const kept = new Map<string, Uint8Array>();
  let writes = 0;
  const layouts: Layouts = {
    read: async (name) => kept.get(name) ?? null,
    keep: async (name, content) => void (kept.set(name, content), writes++),
  };
  const names = Object.keys(MAPS);
  const before = await drawAll(names, 'before', layouts);
  // All maps of the metro share a layout. Five ZIP codes are laid out quickly.
  expect(kept.size).toBe(1);
  writes = 0;
  const after = await drawAll(names.toReversed(), 'after', layouts);
  for (const [name, picture] of before) {
    expect({ name, isSame: after.get(name)!.equals(picture) }).toEqual({ name, isSame: true });
  }
  expect(writes).toBe(0);
});

it('labels avoid only the names on their own map', async () => {
  const placed = await placedZips(db, await zipsOfMetro(db, 'sacramento-ca'));
  const { images } = await loadSprite('light', 1);
  const labelsOf = async (stamp: string, inInsets: Bbox[]) => {
    const context = {
      db: { query: db.query, stamp },
      layout: new MapLayout(),
      style: loadStyle('light'),
      images,
      pixelRatio: 1,
      ...({ transparent: false, underlay: undefined, zipLabels: 'zip', scaleBar: false } as const),
      colors: new Map(placed.map(({ zip }) => [zip, { status: 'plain' } as const])),
    };
    const view = { bounds: bboxAround(placed.map(({ bbox }) => bbox)) };
    const map = { zips: placed, view, width: 1200, height: 800, inInsets };
    return (await loadView(context, map)).compose({}).scene.sources['zip-labels'];
  };
  // Lake Tahoe is in the view. Insets show the names of their lakes, so the map doesn't.
  const everywhere: Bbox[] = [[-180, -85, 180, 85]];
  const withLakes = await labelsOf('lakes', []);
  const without = await labelsOf('no lakes', everywhere);
  expect(without).not.toEqual(withLakes);
  expect(await labelsOf('lakes', everywhere)).toEqual(without);
  expect(await labelsOf('no lakes', [])).toEqual(withLakes);
});
