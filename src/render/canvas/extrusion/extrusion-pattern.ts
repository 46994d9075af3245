/** Patterns on roofs and walls, placed as in MapLibre (fill_extrusion_pattern.vertex.glsl). */
import type { RectPx } from '../../../base/spatial/flat.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import type { StyleImage } from '../../scene.ts';
import { repetitionsOnPlane } from '../layers/pattern.ts';
import type { Ink } from '../raster/ink.ts';
import { PatternInk, withOppositeEdges } from '../raster/pattern-ink.ts';
import { composeWarps, type Warp } from '../raster/warp.ts';
import { tileZoomOf } from '../style/property-values.ts';
import { TILE_EXTENT } from '../style/style-feature.ts';

/** Meters of height that one pixel of a pattern covers at zoom 0 */
const METERS_PER_PX = 65_536;

/** An image that covers the faces of an extrusion. */
export class ExtrusionPattern {
  private readonly view: View3;
  private readonly image: StyleImage;
  private readonly padded: ReturnType<typeof withOppositeEdges>;

  constructor(view: View3, image: StyleImage) {
    this.view = view;
    this.image = image;
    this.padded = withOppositeEdges(image);
  }

  /** @param warp of the face; see `Face` */
  onRoof(warp: Warp, dx: number, dy: number): Ink {
    return this.ink(composeWarps(repetitionsOnPlane(this.view, this.image, dx, dy), warp));
  }

  /**
   * Returns the ink of a wall. Repetitions start at the corner of its tile and run against the wall.
   *
   * @param from, to distance of the wall's ends along the outline, in tile units
   * @param base, height in meters
   */
  onWall(warp: Warp, tile: RectPx, from: number, to: number, base: number, height: number): Ink {
    const { view, image } = this;
    const tileZoom = tileZoomOf(view.zoom);
    // To pixels at the zoom of tiles
    const scale = 2 ** (tileZoom - view.zoom);
    const left = Math.round((tile.minX - view.xOfWorld(0)) * scale);
    const top = Math.round((tile.minY - view.yOfWorld(0)) * scale);
    const alongScale = ((tile.maxX - tile.minX) * scale) / TILE_EXTENT;
    const upScale = -(2 ** tileZoom) / METERS_PER_PX;
    const perX = image.pixelRatio / image.width;
    const perY = image.pixelRatio / image.height;
    const toRepetitions = Float64Array.of(
      alongScale * (to - from) * perX,
      0,
      (left + alongScale * from) * perX,
      0,
      upScale * (height - base) * perY,
      (top + upScale * base) * perY,
      0,
      0,
      1,
    );
    return this.ink(composeWarps(toRepetitions, warp));
  }

  private ink(warp: Warp): Ink {
    return new PatternInk(this.image, warp, this.padded);
  }
}

/**
 * Measures distances along an outline as MapLibre stores them: rounded, and starting over when they get too
 * long.
 */
export class OutlineMeasure {
  private along = 0;

  /**
   * Adds a wall. @returns the distances of its start and its end, in tile units. The end has the lower one.
   */
  add(lengthUnits: number): [from: number, to: number] {
    if (this.along + lengthUnits > 32_768) this.along = 0;
    const to = Math.round(this.along);
    this.along += lengthUnits;
    return [Math.round(this.along), to];
  }
}
