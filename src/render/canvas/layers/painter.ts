/** Arguments of a layer type's painter. */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { Point3, View3 } from '../../../base/spatial/view.ts';
import type { Images } from '../images.ts';
import type { LayerAtZoom } from '../style/property-values.ts';
import type { DepthBuffer } from '../raster/faces.ts';
import type { ScreenFeature } from '../sources/screen-feature.ts';
import type { OpenSource } from '../sources/sources.ts';
import type { Surface } from '../surface.ts';
import type { LabelGroup } from '../placement/draw-order.ts';
import type { ClipToTile } from '../tile-clip.ts';

export type Painter = (context: PaintContext, layer: SceneLayer) => void;

/** The same for all layers of a picture */
export interface PaintContext {
  surface: Surface;
  view: View3;
  clipToTile: ClipToTile;
  light: LightSource;
  /** Hides what lies behind extrusions. Created on first use */
  depth: () => DepthBuffer;
  images: Images;
  sourceOf: (id: string) => OpenSource;
}

/** The light on extrusions */
export interface LightSource {
  /** Toward the light, on the plane; its length is the light's distance */
  direction: Point3;
  color: Color;
  /** 0..1 */
  intensity: number;
}

/** A layer with its features and labels in this picture */
export interface SceneLayer extends LayerAtZoom {
  features: readonly ScreenFeature[];
  /** The placed labels of a symbol layer, in drawing order */
  labels: readonly LabelGroup[];
}
