/**
 * Finds the closest view that shows a whole territory with its surroundings, where neither the title nor
 * the legend covers any of the territory.
 */
import { bboxAround, type Bbox } from '../../base/spatial/bbox.ts';
import { fitBbox, Viewport, type PaddingBySide } from '../../base/spatial/camera.ts';
import type { RectPx } from '../../base/spatial/flat.ts';
import { measureEm } from '../../render/canvas/text/measure.ts';
import { furnitureArranger, type ArrangeAround } from '../../render/furniture/arrange.ts';
import { coveredPx, territoryBoxes } from '../../render/furniture/territory-boxes.ts';
import type { MapFurniture } from '../../render/furniture/furniture.ts';
import type { FittedView } from '../../render/scene.ts';

interface FrameRequest {
  /** Boxes of the ZIP codes; at least one */
  territory: readonly Bbox[];
  furniture: MapFurniture;
  width: number;
  height: number;
  padding: PaddingBySide;
}

/**
 * Share of the picture in which furniture may cover ZIP codes' boxes: the corners of a box are mostly
 * empty.
 */
const ALLOWED_HIDDEN_SHARE = 0.0002;

/** Tries several paddings. Returns the closest view that hides nothing, or the one that hides least. */
export function frameTerritory(request: FrameRequest): FittedView {
  const { territory, furniture, width, height } = request;
  const bounds = withSurroundings(bboxAround(territory), territory.length);
  const arrange = furnitureArranger(furniture, width, height, measureEm);
  const candidates = candidatePaddings(request, arrange)
    .map((paddingPx) => {
      const camera = fitBbox(bounds, width, height, paddingPx);
      const viewport = new Viewport(camera, width, height);
      const boxes = territoryBoxes(territory, viewport);
      const { cards } = arrange(boxes);
      const hidden = cards
        .filter(({ flush }) => !flush)
        .reduce((sum, { box }) => sum + coveredPx(box, boxes), 0);
      return { paddingPx, zoom: camera.zoom, hidden: hidden / (width * height) };
    })
    .sort((a, b) => b.zoom - a.zoom);
  const clear = candidates.find(({ hidden }) => hidden < ALLOWED_HIDDEN_SHARE);
  const best = clear ?? candidates.reduce((a, b) => (b.hidden < a.hidden ? b : a));
  return { bounds, paddingPx: best.paddingPx };
}

/**
 * The requested padding: alone, with room for the title above or beside the territory, with room for the legend
 * on either side, and with both.
 */
function candidatePaddings({ padding }: FrameRequest, arrange: ArrangeAround): PaddingBySide[] {
  const { cards } = arrange();
  const freeCards = cards.filter(({ flush }) => !flush);
  const titleBox = freeCards.find(({ texts }) => texts[0]?.role === 'title')?.box;
  const legendBox = freeCards.find(({ texts }) => texts[0]?.role === 'legend-title')?.box;
  const withTitle =
    titleBox === undefined ? [] : [{ ...padding, top: padding.top + titleBox.maxY }];
  // The caller may ask for more room at the left than the title takes.
  const besideTitle =
    titleBox === undefined
      ? []
      : [{ ...padding, left: Math.max(padding.left, titleBox.maxX + titleBox.minX) }];
  const withLegend = (base: PaddingBySide, { minX, maxX }: RectPx): PaddingBySide[] => [
    { ...base, left: base.left + (maxX - minX) },
    { ...base, right: base.right + (maxX - minX) },
  ];
  const withBoth =
    legendBox === undefined
      ? []
      : [padding, ...withTitle].flatMap((base) => withLegend(base, legendBox));
  // Of equally close views, the first is chosen: beside the title, the territory is farthest from the center.
  return [padding, ...withTitle, ...withBoth, ...besideTitle];
}

/** Size of the map relative to the territory, by number of ZIP codes */
const RELATIVE_SIZES = [
  { maxZips: 1, size: 2.5 },
  { maxZips: 4, size: 1.5 },
];
/** Size at which a territory needs no surroundings: 0.25 degrees are 23 km at the country's center */
const LARGE_DEG = 0.25;
/** Minimum size of a map, for ZIP codes of a single building: about 3 km */
const MIN_DEG = 0.035;

/**
 * Extends bounds around their center to a minimum size. Both sides are measured in degrees of longitude.
 */
function withSurroundings(bounds: Bbox, zipCount: number): Bbox {
  const [west, south, east, north] = bounds;
  const lngs = east - west;
  const latsPerLng = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const lngsOfHeight = (north - south) / latsPerLng;
  const relative = RELATIVE_SIZES.find(({ maxZips }) => zipCount <= maxZips)?.size ?? 1;
  const wanted = Math.min(LARGE_DEG, Math.max(MIN_DEG, relative * Math.max(lngs, lngsOfHeight)));
  const addX = Math.max(0, wanted - lngs) / 2;
  const addY = (Math.max(0, wanted - lngsOfHeight) / 2) * latsPerLng;
  return [west - addX, south - addY, east + addX, north + addY];
}
