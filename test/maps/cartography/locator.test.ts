import { describe, expect, it } from 'vitest';
import { locate } from '../../../src/maps/cartography/furniture/locator.ts';
import { placedZips } from '../../../src/data/market/zips.ts';
import { measureEm } from '../../../src/render/canvas/text/measure.ts';
import { arrangeFurniture } from '../../../src/render/furniture/arrange.ts';
import { rectContains, rectOf, type RectPx } from '../../../src/base/spatial/flat.ts';
import type { Bbox } from '../../../src/base/spatial/bbox.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const size = { width: 600, height: 400 };
const boxAround = ([lng, lat]: [number, number], deg: number): Bbox =>
  [lng - deg, lat - deg, lng + deg, lat + deg] as unknown as Bbox;
const CHICAGO: [number, number] = [-87.65, 41.92];
const chicago = await placedZips(db, ['60614']);

describe('a locator', () => {
  it('shows the outline of the state with the extent of the map', async () => {
    const { label, extent, outlines } = (await locate(db, chicago, boxAround(CHICAGO, 0.1), size))!;
    expect(label).toBe('Illinois');
    const state = rectOf(outlines.flat());
    expect(state.maxY - state.minY).toBeCloseTo(1, 1);
    // Chicago is in the northeast.
    expect((extent.minX - state.minX) / (state.maxX - state.minX)).toBeGreaterThan(0.8);
    expect(extent.maxY).toBeLessThan(0.2);
  });

  it('is missing where it does not help', async () => {
    const one = boxAround(CHICAGO, 0.1);
    expect(await locate(db, chicago, one, { width: 300, height: 200 })).toBeNull();
    expect(await locate(db, chicago, boxAround(CHICAGO, 3), size)).toBeNull();
    const far = await placedZips(db, ['60614', '75201', '33131']);
    expect(await locate(db, far, one, size)).toBeNull();
  });

  it('is placed in a free corner of the picture that hides none of the territory', async () => {
    const locator = (await locate(db, chicago, boxAround(CHICAGO, 0.1), size))!;
    const cardFor = (territory: readonly RectPx[]) =>
      arrangeFurniture({ locator }, 600, 400, measureEm, territory).cards[0];
    const card = cardFor([])!;
    expect(card.box.minX).toBeGreaterThan(450);
    expect(rectContains(card.box, rectOf(card.outlines!.flat()))).toBe(true);
    expect(card.swatches.every(({ box }) => rectContains(card.box, box))).toBe(true);
    const [right, left] = [300, 0].map((minX) => ({ minX, minY: 0, maxX: minX + 300, maxY: 400 }));
    expect(cardFor([right!])!.box.maxX).toBeLessThan(150);
    expect(cardFor([right!, left!])).toBeUndefined();
  });
});
