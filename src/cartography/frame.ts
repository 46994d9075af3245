/**
 * The view of a picture that shows a territory whole: as large as it can be with nothing of it
 * under the title or the legend. Pure but for measuring the furniture's text.
 */
import { bboxAround, type Bbox } from '../spatial/bbox.ts';
import { fitBbox, Viewport, type Padding } from '../spatial/camera.ts';
import type { RectPx } from '../spatial/flat.ts';
import { measureEm } from '../render/canvas/text/measure.ts';
import { arrangeFurniture, coveredPx, territoryBoxes } from '../render/furniture/arrange.ts';
import type { MapFurniture } from '../render/furniture/furniture.ts';
import type { FittedView } from '../render/scene.ts';

export interface FrameRequest {
  /** Boxes in degrees of what the picture is about, e.g. one for each ZIP; at least one */
  territory: readonly Bbox[];
  furniture: MapFurniture;
  width: number;
  height: number;
  padding: Padding;
}

/** Hidden ground below this share of the picture is no loss: corners of boxes are mostly empty. */
const UNSEEN_SHARE = 0.0002;

export function frameTerritory(request: FrameRequest): FittedView {
  const { territory, furniture, width, height } = request;
  const bounds = bboxAround(territory);
  const candidates = paddings(request)
    .map((paddingPx) => {
      const camera = fitBbox(bounds, width, height, paddingPx);
      const viewport = new Viewport(camera, width, height);
      const boxes = territoryBoxes(territory, viewport);
      const { cards } = arrangeFurniture(furniture, width, height, measureEm, boxes);
      const hidden = cards
        .filter(({ flush }) => !flush)
        .reduce((sum, { box }) => sum + coveredPx(box, boxes), 0);
      return { paddingPx, zoom: camera.zoom, hidden: hidden / (width * height) };
    })
    .sort((a, b) => b.zoom - a.zoom);
  const clear = candidates.find(({ hidden }) => hidden < UNSEEN_SHARE);
  const best = clear ?? candidates.reduce((a, b) => (b.hidden < a.hidden ? b : a));
  return { bounds, paddingPx: best.paddingPx };
}

/** The padding asked for, and with room kept free above for the title, beside for the legend. */
function paddings({ furniture, width, height, padding }: FrameRequest): Padding[] {
  const { cards } = arrangeFurniture(furniture, width, height, measureEm);
  const standing = cards.filter(({ flush }) => !flush);
  const heading = standing.find(({ texts }) => texts[0]?.role === 'title')?.box;
  const legend = standing.find(({ swatches }) => swatches.length > 0)?.box;
  const above = heading === undefined ? [] : [{ ...padding, top: padding.top + heading.maxY }];
  const beside = (base: Padding, { minX, maxX }: RectPx): Padding[] => [
    { ...base, left: base.left + (maxX - minX) },
    { ...base, right: base.right + (maxX - minX) },
  ];
  const besides = legend === undefined ? [] : [padding, ...above].flatMap((p) => beside(p, legend));
  return [padding, ...above, ...besides];
}
