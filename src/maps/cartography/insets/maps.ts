/** Places a map so that insets have room beside its territory. */
import {
  coveredPx,
  MIN_TERRITORY_BOX_PX,
  withMinimumSize,
} from '../../../render/furniture/territory-boxes.ts';
import {
  fitBbox,
  Viewport,
  type Camera,
  type PaddingBySide,
} from '../../../base/spatial/camera.ts';
import { growRect, rectContains, rectsMeet, type RectPx } from '../../../base/spatial/flat.ts';
import { freeRects, freeRectsBeside } from '../../../base/spatial/free-rects.ts';
import { worldSizePx } from '../../../base/spatial/mercator.ts';
import { worldBox, type WorldBox } from './labels.ts';
import { GAP_PX, type InsetRequest } from './request.ts';
import { labelsOfMap, type Labels } from './windows.ts';

/** Share of the picture in which furniture may cover ZIP codes */
const ALLOWED_HIDDEN_SHARE = 0.002;
/** Margin on each side of a box that its ZIP code hardly fills, as a share of the side */
const EDGE_SHARE = 0.25;
/** Side of a cell of the grid that finds free space, and of a rectangle with room for a key, CSS pixels */
const FREE_SPACE = { cellPx: 10, minSidePx: 70 };
/** Shares of an inset's size by which the map gets smaller; the rest of the inset must be free of the territory */
const TAKEN_SHARES = [0, 0.35, 0.7, 1];

export type Side = 'right' | 'left' | 'bottom';

/** The maps of a request without insets. Many have the same padding or zoom, so each is made once. */
export class Maps {
  readonly request: InsetRequest;
  readonly keepFree: readonly WorldBox[];
  readonly labelsAt: (zoom: number) => Labels;
  private readonly placed = new Map<string, PlacedMap>();

  constructor(request: InsetRequest) {
    this.request = request;
    this.keepFree = request.keepFree.map(worldBox);
    const boxes = request.zips.map(worldBox);
    const known = new Map<number, Labels>();
    this.labelsAt = (zoom) => {
      const labels = known.get(zoom) ?? labelsOfMap(boxes, zoom);
      known.set(zoom, labels);
      return labels;
    };
  }

  place(padding: PaddingBySide): PlacedMap {
    const key = Object.values(padding).join();
    const map = this.placed.get(key) ?? new PlacedMap(this, padding);
    this.placed.set(key, map);
    return map;
  }

  /** Returns maps with increasing room at a side. Furniture may cover the territory on some of them. */
  withRoomAt(side: Side, acrossPx: number): PlacedMap[] {
    const { edges, minZoom, taken } = this.request;
    const heading = taken.find(({ minY, maxY }) => minY < edges.top && maxY > edges.top);
    const tops = heading === undefined ? [edges.top] : [edges.top, heading.maxY];
    return tops
      .flatMap((top) =>
        TAKEN_SHARES.map((part) => {
          const extra = part * (acrossPx + GAP_PX);
          return this.place({ ...edges, top, [side]: edges[side] + extra });
        }),
      )
      .filter(({ camera }) => camera.zoom >= minZoom)
      .sort((a, b) => b.camera.zoom - a.camera.zoom);
  }
}

/** A map without insets. Its parts are computed when they are needed, because most maps are rejected before. */
export class PlacedMap {
  readonly padding: PaddingBySide;
  readonly camera: Camera;
  readonly labels: Labels;
  private readonly request: InsetRequest;
  private readonly keepFree: readonly WorldBox[];
  private readonly viewport: Viewport;
  private readonly worldPx: number;
  private legends: RectPx[] | undefined;
  private free: RectPx[] | undefined;

  constructor({ request, keepFree, labelsAt }: Maps, padding: PaddingBySide) {
    const { bounds, width, height } = request;
    this.padding = padding;
    this.camera = fitBbox(bounds, width, height, padding);
    this.labels = labelsAt(this.camera.zoom);
    this.request = request;
    this.keepFree = keepFree;
    this.viewport = new Viewport(this.camera, width, height);
    this.worldPx = worldSizePx(this.camera.zoom);
  }

  /** Whether the frames cover nothing that must stay free, and leave a corner for the legend. */
  hasRoom(frames: readonly RectPx[]): boolean {
    const minSide = MIN_TERRITORY_BOX_PX / this.worldPx;
    const isBeside = (frame: RectPx) => !meetsAny(this.inWorld(frame), this.keepFree, minSide);
    return frames.every(isBeside) && this.legendBeside(frames) !== undefined;
  }

  /** The largest rectangles beside the territory, the furniture, and the frames of insets */
  freeSpace(frames: readonly RectPx[]): RectPx[] {
    const { room, taken } = this.request;
    const grid = { room, ...FREE_SPACE };
    this.free ??= freeRects(grid, [...taken, ...this.keepFree.map((box) => this.inPicture(box))]);
    const legend = this.legendBeside(frames);
    const around = frames.map((frame) => growRect(frame, GAP_PX - 1));
    return freeRectsBeside(grid, this.free, legend ? [...around, legend] : around);
  }

  /** The first corner where the legend hides little of the territory and none of the frames */
  private legendBeside(frames: readonly RectPx[]): RectPx | undefined {
    this.legends ??= this.findLegends();
    return this.legends.find((box) => !frames.some((frame) => rectsMeet(box, frame)));
  }

  /** Corners where the legend hides little of the territory, with the space around it */
  private findLegends(): RectPx[] {
    const { width, taken, legend, room } = this.request;
    const gapPx = legend?.gapPx ?? 0;
    const places = corners(
      { minX: 0, minY: 0, maxX: width, maxY: room.maxY + GAP_PX },
      (legend?.width ?? 0) + 2 * gapPx,
      (legend?.height ?? 0) + 2 * gapPx,
    );
    if (!this.isClear(taken)) return [];
    return places.filter((place) => {
      const box = growRect(place, -gapPx);
      return !taken.some((other) => rectsMeet(box, other)) && this.isClear([box]);
    });
  }

  /** Whether furniture hides little of the territory. No marker or ZIP code may be hidden, however small. */
  private isClear(furniture: readonly RectPx[]): boolean {
    let hidden = 0;
    for (const card of furniture) {
      const around = this.inWorld(growRect(card, GAP_PX));
      const near = this.keepFree.filter((box) => rectsMeet(box, around));
      if (near.some((box) => rectContains(around, box))) return false;
      hidden += coveredPx(this.inWorld(card), near.map(coreOf));
    }
    const { width, height } = this.request;
    return hidden * this.worldPx ** 2 <= ALLOWED_HIDDEN_SHARE * width * height;
  }

  private inWorld({ minX, minY, maxX, maxY }: RectPx): WorldBox {
    const { worldPx } = this;
    const { west, north } = this.viewport.worldEdges();
    return {
      minX: west + minX / worldPx,
      minY: north + minY / worldPx,
      maxX: west + maxX / worldPx,
      maxY: north + maxY / worldPx,
    };
  }

  private inPicture({ minX, minY, maxX, maxY }: WorldBox): RectPx {
    const { viewport } = this;
    return withMinimumSize({
      minX: viewport.xOfWorld(minX),
      minY: viewport.yOfWorld(minY),
      maxX: viewport.xOfWorld(maxX),
      maxY: viewport.yOfWorld(maxY),
    });
  }
}

/** Whether a frame meets any box, each extended to a minimum side. Makes no rectangles, as it runs most often. */
function meetsAny(frame: WorldBox, boxes: readonly WorldBox[], minSide: number): boolean {
  for (const { minX, minY, maxX, maxY } of boxes) {
    const growX = Math.max(0, minSide - (maxX - minX)) / 2;
    if (minX - growX > frame.maxX || maxX + growX < frame.minX) continue;
    const growY = Math.max(0, minSide - (maxY - minY)) / 2;
    if (minY - growY <= frame.maxY && maxY + growY >= frame.minY) return true;
  }
  return false;
}

function coreOf({ minX, minY, maxX, maxY }: WorldBox): WorldBox {
  const [x, y] = [EDGE_SHARE * (maxX - minX), EDGE_SHARE * (maxY - minY)];
  return { minX: minX + x, minY: minY + y, maxX: maxX - x, maxY: maxY - y };
}

/** Boxes of a size in the corners of a room: bottom left, bottom right, top right, and top left */
function corners({ minX, minY, maxX, maxY }: RectPx, width: number, height: number): RectPx[] {
  const left = { minX, maxX: minX + width };
  const right = { minX: maxX - width, maxX };
  const top = { minY, maxY: minY + height };
  const bottom = { minY: maxY - height, maxY };
  return [
    { ...left, ...bottom },
    { ...right, ...bottom },
    { ...right, ...top },
    { ...left, ...top },
  ];
}
