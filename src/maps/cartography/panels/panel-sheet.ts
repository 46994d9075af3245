/** Sheets of several maps: the scene of paper and furniture, with the scenes of the maps on top. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Arrangement } from '../../../render/furniture/arrange.ts';
import { furnitureColorsOf } from '../../../render/furniture/colors.ts';
import type { Scene } from '../../../render/scene.ts';
import { Color } from '../../../render/style-spec.ts';

export interface PanelSheet extends Required<
  Pick<Scene, 'width' | 'height' | 'pixelRatio' | 'format' | 'panels'>
> {
  style: StyleSpecification;
  /** Whether to omit the paper behind maps and furniture */
  transparent: boolean;
  furniture: Arrangement;
}

export function sheetScene({ style, transparent, furniture, ...sheet }: PanelSheet): Scene {
  const paper = Color.parse(furnitureColorsOf(style).paper)!;
  const [r, g, b] = paper.rgb.map((channel) => Math.round(channel * 255));
  return {
    ...sheet,
    style: {
      version: 8,
      metadata: style.metadata,
      sources: {},
      layers: transparent
        ? []
        : [
            {
              id: 'paper',
              type: 'background',
              paint: { 'background-color': `rgb(${r},${g},${b})` },
            },
          ],
    },
    sources: {},
    view: { center: [0, 0], zoom: 0 },
    arranged: furniture,
  };
}
