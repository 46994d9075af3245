/** The paint properties of a symbol's text or icon. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { ReadProperty, StyleFeature } from '../style/property-values.ts';
import { tintOf, type Tint } from '../raster/pixels.ts';

export interface SymbolPaint {
  /** Layer opacity, 0..1; already included in the inks */
  opacity: number;
  ink: SymbolInk;
  halo: Halo | null;
}

/** A color with opacity applied, for Skia (`css`) and for the pixel buffer (`tint`). */
export interface SymbolInk {
  css: string;
  tint: Tint;
}

export interface Halo {
  ink: SymbolInk;
  widthPx: number;
  blurPx: number;
}

export function symbolPaint(
  read: ReadProperty,
  part: 'text' | 'icon',
): (feature: StyleFeature) => SymbolPaint {
  const color = read<Color>(`${part}-color`);
  const opacity = read<number>(`${part}-opacity`);
  const haloColor = read<Color>(`${part}-halo-color`);
  const haloWidth = read<number>(`${part}-halo-width`);
  const haloBlur = read<number>(`${part}-halo-blur`);
  return (feature) => {
    const share = opacity(feature);
    const halo = {
      ink: symbolInk(haloColor(feature), share),
      widthPx: haloWidth(feature),
      blurPx: haloBlur(feature),
    };
    const hasHalo = halo.ink.tint.alpha > 0 && halo.widthPx > 0;
    return {
      opacity: share,
      ink: symbolInk(color(feature), share),
      halo: hasHalo ? halo : null,
    };
  };
}

export function symbolInk(color: Color, opacity: number): SymbolInk {
  const [r, g, b, alpha] = color.rgb;
  const channels = [r, g, b].map((channel) => Math.round(channel * 255)).join(',');
  return { css: `rgba(${channels},${alpha * opacity})`, tint: tintOf(color, opacity) };
}
