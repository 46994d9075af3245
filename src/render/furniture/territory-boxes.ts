/** The parts of a picture that show the territory, which furniture should not hide. */
import type { Bbox } from '../../base/spatial/bbox.ts';
import type { Viewport } from '../../base/spatial/camera.ts';
import type { RectPx } from '../../base/spatial/flat.ts';

/** Minimum size of a territory box: even a tiny area needs room for its dot and name. */
export const MIN_TERRITORY_BOX_PX = 32;

/** Pixel boxes of a territory, which furniture should leave uncovered. */
export function territoryBoxes(territory: readonly Bbox[], viewport: Viewport): RectPx[] {
  return territory.map((bbox) => withMinimumSize(viewport.rect(bbox)));
}

export function withMinimumSize({ minX, minY, maxX, maxY }: RectPx): RectPx {
  const growX = Math.max(0, MIN_TERRITORY_BOX_PX - (maxX - minX)) / 2;
  const growY = Math.max(0, MIN_TERRITORY_BOX_PX - (maxY - minY)) / 2;
  return { minX: minX - growX, minY: minY - growY, maxX: maxX + growX, maxY: maxY + growY };
}

/** The area of the boxes that `cover` hides. Where boxes overlap, each counts. */
export function coveredPx(cover: RectPx, boxes: readonly RectPx[]): number {
  let covered = 0;
  for (const box of boxes) {
    const width = Math.min(cover.maxX, box.maxX) - Math.max(cover.minX, box.minX);
    const height = Math.min(cover.maxY, box.maxY) - Math.max(cover.minY, box.minY);
    if (width > 0 && height > 0) covered += width * height;
  }
  return covered;
}
