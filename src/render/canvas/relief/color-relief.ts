/** Draws color-relief layers: elevation tiles, colored by height. */
import type { Color, Expression } from '@maplibre/maplibre-gl-style-spec';
import { UnsupportedStyleError } from '../../errors.ts';
import type { DemEncoding } from '../../scene.ts';
import type { CompiledLayer } from '../style/compiled-style.ts';
import { MARGIN, roundToEncoding, warpIntoMargin } from '../sources/dem.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import { shownRasterTiles } from '../sources/raster-tiles.ts';
import type { Ink } from '../raster/ink.ts';
import { TextureInk, type Resampling } from '../raster/texture-ink.ts';
import { Texture } from '../raster/texture.ts';
import { warpOfRect, type Warp } from '../raster/warp.ts';
import { fillTextured } from '../layers/textured.ts';
import { ringOfRect } from '../../../base/spatial/flat.ts';

/** @throws UnsupportedStyleError for colors that aren't interpolated by elevation */
export function drawColorRelief(context: PaintContext, { compiled, read }: SceneLayer): void {
  const { surface, view } = context;
  const source = context.sourceOf(compiled.source!);
  const opacity = read<number>('color-relief-opacity')();
  const ramp = source.type === 'raster-dem' ? rampOf(compiled, source.encoding) : null;
  if (source.type !== 'raster-dem' || ramp === null || opacity === 0) return;
  const resampling = read<Resampling>('resampling')();
  const sampling = { enlarging: resampling, shrinking: resampling, maxReads: 1 };
  const tiles = shownRasterTiles(source.tileSet, view, surface.pixelRatio);
  for (const { tile, square, shown } of tiles) {
    const texture = new Texture(source.tileWithMargin(tile), false);
    const makeInk = (warp: Warp) => {
      const inset = warpIntoMargin(warp, tile.width, MARGIN);
      const dem = new TextureInk(texture, inset, sampling);
      return new ReliefInk(dem, source.encoding, ramp);
    };
    fillTextured(context, ringOfRect(shown), warpOfRect(square), makeInk, opacity);
  }
}

/** Colors at rising elevations, in meters; premultiplied, as in an `Ink` */
interface Ramp {
  meters: Float64Array;
  colors: Float32Array;
}

/** Returns null if the style sets no colors. */
function rampOf({ properties, path }: CompiledLayer, encoding: DemEncoding): Ramp | null {
  const property = properties.get('color-relief-color')!;
  if (!('_styleExpression' in property)) return null;
  // The specification's package offers no other access to the stops of a parsed expression.
  // oxlint-disable-next-line no-underscore-dangle
  const { expression } = property._styleExpression as { expression: Expression };
  if (!('interpolation' in expression && 'labels' in expression)) {
    const reason = 'is supported only as an "interpolate" by elevation';
    throw new UnsupportedStyleError([{ property: `${path}.paint.color-relief-color`, reason }]);
  }
  const elevations = expression.labels as number[];
  const stops = elevations.map((elevation) => property.evaluate({ zoom: 0, elevation }) as Color);
  // As stored in a texture: in bytes.
  const byte = (share: number) => Math.round(255 * share);
  return {
    meters: Float64Array.from(elevations, (elevation) => roundToEncoding(elevation, encoding)),
    colors: Float32Array.from(
      stops.flatMap(({ r, g, b, a }) => [byte(r), byte(g), byte(b), byte(a) / 255]),
    ),
  };
}

/** Turns encoded elevations into colors. */
class ReliefInk implements Ink {
  private readonly dem: Ink;
  private readonly encoding: DemEncoding;
  private readonly ramp: Ramp;

  constructor(dem: Ink, encoding: DemEncoding, ramp: Ramp) {
    this.dem = dem;
    this.encoding = encoding;
    this.ramp = ramp;
  }

  row(x: number, y: number, count: number, out: Float32Array): void {
    this.dem.row(x, y, count, out);
    const { red, green, blue, shift } = this.encoding;
    const { meters, colors } = this.ramp;
    for (let i = 0; i < 4 * count; i += 4) {
      const elevation = red * out[i]! + green * out[i + 1]! + blue * out[i + 2]! - shift;
      const upper = upperStop(meters, elevation);
      const lower = Math.max(0, upper - 1);
      const range = meters[upper]! - meters[lower]!;
      const part = range > 0 ? clampShare((elevation - meters[lower]!) / range) : 0;
      for (let c = 0; c < 4; c++) {
        const from = colors[4 * lower + c]!;
        out[i + c] = from + (colors[4 * upper + c]! - from) * part;
      }
    }
  }
}

/** Returns the first stop above an elevation, or the last stop. */
function upperStop(meters: Float64Array, elevation: number): number {
  let low = 0;
  let high = meters.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elevation < meters[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

const clampShare = (share: number) => Math.max(0, Math.min(1, share));
