/** The paint properties of a symbol's text or icon. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { ReadProperty } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import { tintOf, type Tint } from '../raster/ink.ts';

export interface SymbolPaint {
  /** Layer opacity, 0..1; already included in the tints */
  opacity: number;
  tint: Tint;
  halo: Halo | null;
}

export interface Halo {
  tint: Tint;
  widthPx: number;
  blurPx: number;
  /** Whether it also lies under the shape. Default: false */
  isFilled?: boolean;
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
      tint: tintOf(haloColor(feature), share),
      widthPx: haloWidth(feature),
      blurPx: haloBlur(feature),
    };
    const hasHalo = halo.tint.alpha > 0 && halo.widthPx > 0;
    return { opacity: share, tint: tintOf(color(feature), share), halo: hasHalo ? halo : null };
  };
}
