/** The icon of a feature, shaped. Pure. */
import type { Padding, ResolvedImage } from '@maplibre/maplibre-gl-style-spec';
import type { StyleImage } from '../../scene.ts';
import type { Images } from '../images.ts';
import { tileZoomOf } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import type { FeatureText } from '../text/feature-text.ts';
import type { Anchor, TextShape } from '../text/shape.ts';
import { stanceOf } from '../symbol/stance.ts';
import { symbolSizes, type SymbolSizes } from '../symbol/sizes.ts';
import type { SymbolLayer } from '../symbol/label-tiles.ts';
import { UNITS_PER_EM } from '../text/units.ts';
import { iconQuads, type IconQuad } from './quads.ts';
import {
  fitToText,
  keepProportions,
  shapeIcon,
  type IconShape,
  type IconTextFit,
  type TextBounds,
} from './shape.ts';

export interface FeatureIcon {
  image: StyleImage;
  sizes: SymbolSizes;
  /** The area that it keeps free of other symbols */
  shape: IconShape;
  quads: readonly IconQuad[];
  /** In CSS pixels: top, right, bottom, left */
  padding: readonly [number, number, number, number];
  offset: readonly [x: number, y: number];
  /** Clockwise, in radians */
  rotation: number;
  /** Turn of the text to which the icon is fitted. The stretched parts turn with it. */
  turn: number;
  /** Rotation of the area that it keeps free */
  boxRotation: number;
  /** The icon for a text that is written vertically; null if it is the same */
  vertical: FeatureIcon | null;
  /** Whether the layer fits icons to texts: then a moved text moves its icon */
  isFitted: boolean;
  /** Whether it follows the line on which it is placed */
  isAlong: boolean;
}

/** Returns a function that shapes the icon of a feature, or returns null if it has none or it is missing. */
export function iconReader(
  layer: SymbolLayer,
  images: Images,
): (feature: StyleFeature, text: FeatureText | null) => FeatureIcon | null {
  const { compiled, zoom, readLayout: read } = layer;
  const isAlong = read<string>('symbol-placement')() !== 'point' && stanceOf(layer, 'icon').turns;
  const fit = read<IconTextFit>('icon-text-fit')();
  const fitPadding = read<[number, number, number, number]>('icon-text-fit-padding')();
  const isFitted = fit !== 'none';
  const imageOf = read<ResolvedImage | string | null>('icon-image');
  const sizes = symbolSizes(compiled, 'icon-size', zoom, tileZoomOf(zoom));
  const anchor = read<Anchor>('icon-anchor');
  const offsetOf = read<[number, number]>('icon-offset');
  const rotate = read<number>('icon-rotate');
  const padding = read<Padding>('icon-padding');
  // The segments of a road have the same shield, so each fitted icon is kept.
  const fitted = new Map<TextShape, FittedIcon>();

  return (feature, text) => {
    const value = imageOf(feature);
    const image = images.named(
      typeof value === 'string' ? value : (value?.name ?? ''),
      compiled.id,
    );
    if (image === null) return null;
    const offset = offsetOf(feature);
    const fitToLabel = (shape: TextShape): ShapedIcon => {
      const scale = text!.sizes.collision / UNITS_PER_EM;
      const known = fitted.get(shape);
      if (known?.image === image && known.scale === scale && known.offset === offset) {
        return known.icon;
      }
      const box = fitToText(image, boundsOf(shape, scale), fit, fitPadding, offset);
      const icon = cutIntoQuads(box, image, true);
      fitted.set(shape, { icon, image, scale, offset });
      return icon;
    };
    const [textShape] = text?.shapes.values() ?? [];
    const rotation = (rotate(feature) * Math.PI) / 180;
    const icon: FeatureIcon = {
      image,
      sizes: sizes(feature),
      ...(isFitted && textShape !== undefined
        ? fitToLabel(textShape)
        : cutIntoQuads(shapeIcon(image, anchor(feature), offset), image, isFitted)),
      padding: padding(feature).values,
      offset,
      rotation,
      turn: 0,
      boxRotation: rotation,
      vertical: null,
      isFitted,
      isAlong,
    };
    if (!isFitted || text === null || text.vertical === null || text.isAlong) return icon;
    const turn = Math.PI / 2;
    const vertical = {
      ...icon,
      ...fitToLabel(text.vertical),
      turn,
      boxRotation: text.rotation + turn,
    };
    return { ...icon, vertical };
  };
}

type ShapedIcon = Pick<FeatureIcon, 'shape' | 'quads'>;

interface FittedIcon extends Pick<FeatureIcon, 'image' | 'offset'> {
  icon: ShapedIcon;
  scale: number;
}

function cutIntoQuads(shape: IconShape, image: StyleImage, isFitted: boolean): ShapedIcon {
  const isBound = image.textFitWidth !== undefined || image.textFitHeight !== undefined;
  return {
    shape: isBound ? keepProportions(shape, image) : shape,
    quads: iconQuads(shape, image, isFitted),
  };
}

function boundsOf({ left, top, right, bottom }: TextShape, scale: number): TextBounds {
  return { left: left * scale, top: top * scale, right: right * scale, bottom: bottom * scale };
}
