/** Draws hillshade layers: elevation tiles as slopes under a light. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import { tileBbox } from '../../../base/spatial/tile.ts';
import { warpIntoMargin } from '../sources/dem.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import type { ReadProperty } from '../style/property-values.ts';
import { shownRasterTiles } from '../sources/raster-tiles.ts';
import type { Ink } from '../raster/ink.ts';
import { TextureInk, type Resampling } from '../raster/texture-ink.ts';
import { Texture } from '../raster/texture.ts';
import { warpOfRect, type Warp } from '../raster/warp.ts';
import { shadeOf, type Shade, type Shading } from './shading.ts';
import { SLOPE_MARGIN, slopeOfByte, slopesOf } from './slopes.ts';
import { fillTextured } from '../layers/textured.ts';
import { ringOfRect } from '../../../base/spatial/flat.ts';

export function drawHillshade(context: PaintContext, { compiled, read }: SceneLayer): void {
  const { surface, view } = context;
  const source = context.sourceOf(compiled.source!);
  const shading = shadingOf(read, view.bearing);
  if (source.type !== 'raster-dem' || shading.exaggeration === 0) return;
  const shade = shadeOf(shading);
  const resampling = read<Resampling>('resampling')();
  const sampling = { enlarging: resampling, shrinking: resampling, maxReads: 1 };
  const tiles = shownRasterTiles(source.tileSet, view, surface.pixelRatio);
  for (const { tile, square, shown } of tiles) {
    const slopes = new Texture(
      slopesOf(source.tileWithMargin(tile), source.encoding, tile.z),
      false,
    );
    const [, south, , north] = tileBbox(tile);
    const makeInk = (warp: Warp) => {
      const inset = warpIntoMargin(warp, tile.width, SLOPE_MARGIN);
      const slopeInk = new TextureInk(slopes, inset, sampling);
      return new ShadedInk(slopeInk, shade, warp, north, south);
    };
    fillTextured(context, ringOfRect(shown), warpOfRect(square), makeInk, 1);
  }
}

function shadingOf(read: ReadProperty, bearing: number): Shading {
  const list = <T>(name: string) => read<{ values: readonly T[] }>(name)().values;
  const turn = read<string>('hillshade-illumination-anchor')() === 'viewport' ? bearing : 0;
  const directions = list<number>('hillshade-illumination-direction');
  const altitudes = list<number>('hillshade-illumination-altitude');
  const shadows = list<Color>('hillshade-shadow-color');
  const highlights = list<Color>('hillshade-highlight-color');
  const count = Math.max(directions.length, altitudes.length, shadows.length, highlights.length);
  return {
    method: read<Shading['method']>('hillshade-method')(),
    exaggeration: read<number>('hillshade-exaggeration')(),
    accent: read<Color>('hillshade-accent-color')(),
    lights: Array.from({ length: count }, (_, i) => ({
      azimuth: radians(atOrLast(directions, i) + turn),
      altitude: radians(atOrLast(altitudes, i)),
      shadow: atOrLast(shadows, i),
      highlight: atOrLast(highlights, i),
    })),
  };
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Shorter lists of lights repeat their last value. */
const atOrLast = <T>(values: readonly T[], index: number): T =>
  values[Math.min(index, values.length - 1)]!;

/** Turns the slopes of a tile into colors. */
class ShadedInk implements Ink {
  private readonly slopes: Ink;
  private readonly shade: Shade;
  /** From the picture to the tile */
  private readonly warp: Warp;
  /** Latitudes of the tile's edges, in degrees */
  private readonly north: number;
  private readonly south: number;

  constructor(slopes: Ink, shade: Shade, warp: Warp, north: number, south: number) {
    this.slopes = slopes;
    this.shade = shade;
    this.warp = warp;
    this.north = north;
    this.south = south;
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    this.slopes.row(x, y, count, out);
    const { warp, shade, north, south } = this;
    let v = warp[3]! * (x + 0.5) + warp[4]! * (y + 0.5) + warp[5]!;
    let w = warp[6]! * (x + 0.5) + warp[7]! * (y + 0.5) + warp[8]!;
    const isConstant = warp[3] === 0 && warp[6] === 0;
    let enlargement = 0;
    for (let i = 0; i < 4 * count; i += 4) {
      if (i === 0 || !isConstant) {
        enlargement = 1 / Math.cos(radians(north + ((south - north) * v) / w));
      }
      const east = slopeOfByte(out[i]!) * enlargement;
      const down = slopeOfByte(out[i + 1]!) * enlargement;
      out[i] = out[i + 1] = out[i + 2] = out[i + 3] = 0;
      shade(east, down, out, i);
      for (let c = i; c < i + 3; c++) if (out[c]! > 255) out[c] = 255;
      if (out[i + 3]! > 1) out[i + 3] = 1;
      v += warp[3]!;
      w += warp[6]!;
    }
  }
}
