/** The text of a feature, shaped. Pure. */
import type { FormattedSection } from '@maplibre/maplibre-gl-style-spec';
import type { View3 } from '../../../base/spatial/view.ts';
import { UnsupportedStyleError } from '../../errors.ts';
import type { StyleImage } from '../../scene.ts';
import { unavailableFont } from '../fonts.ts';
import { displayHeight, type Images } from '../images.ts';
import type { Omissions } from '../omissions.ts';
import { tileZoomOf, type ReadProperty } from '../style/property-values.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import { Formatted } from '../../style-spec.ts';
import { withArabicForms } from './arabic.ts';
import type { Face, FaceOf, PlacedLabel, Section } from './label.ts';
import { IMAGE_LETTER, ImageFace } from './image-face.ts';
import { UNITS_PER_EM } from './units.ts';
import { fixedPosition, variablePositions, type Offset, type Position } from './positions.ts';
import { plainSection } from './sections.ts';
import { justifyOf, type Justify } from './shape.ts';
import { shapePlainText, shapeSections, type ShapedText } from './shaped-text.ts';
import { symbolSizes, type SymbolSizes } from '../symbol/sizes.ts';
import { rotationAlignment, stanceOf } from '../symbol/stance.ts';
import type { SymbolLayer } from '../symbol/label-tiles.ts';
import type { SymbolPaint } from '../symbol/symbol-paint.ts';

type WritingMode = 'horizontal' | 'vertical';

export interface FeatureText extends Pick<ShapedText, 'vertical'> {
  shapes: NonNullable<ShapedText['shapes']>;
  sizes: SymbolSizes;
  /** Whether it follows the line on which it is placed */
  isAlong: boolean;
  /** For text at a point, in order of preference */
  writingModes: readonly WritingMode[];
  /** Candidate positions; null for a fixed position, which is part of the shape or line offset */
  positions: readonly Position[] | null;
  offset: Offset;
  rotation: number;
  label: Omit<PlacedLabel, keyof SymbolPaint | 'runs' | 'box'>;
}

/** Parts of a scene that texts depend on */
export interface TextParts {
  view: View3;
  faceOf: FaceOf;
  images: Images;
  omissions: Omissions;
}

/**
 * Returns a function that shapes the text of a feature, or returns null if there is none.
 *
 * @throws UnsupportedStyleError for a font that neither the project nor the scene has
 */
export function textReader(
  layer: SymbolLayer,
  { faceOf, images, omissions, view }: TextParts,
): (feature: StyleFeature) => FeatureText | null {
  const { compiled, zoom, readLayout: read } = layer;
  const { lies } = stanceOf(layer, 'text');
  const { kind } = compiled.properties.get('text-size')!;
  const isSmooth = lies || view.pitch > 0 || kind === 'camera' || kind === 'composite';
  const layoutSize = read<number>('text-size');
  const placement = read<string>('symbol-placement')();
  const alignment = rotationAlignment(layer, 'text');
  const isAlong = placement !== 'point' && alignment !== 'viewport';
  // Letters on the map have different sizes.
  const isLetterwise = isAlong || (lies && !view.isLevel);
  const field = read<InstanceType<typeof Formatted> | string | null>('text-field');
  const transform = read<Transform>('text-transform');
  const fonts = read<string[]>('text-font');
  const sizes = symbolSizes(compiled, 'text-size', zoom, tileZoomOf(zoom));
  const letterSpacing = read<number>('text-letter-spacing');
  const maxWidth = read<number>('text-max-width');
  const lineHeight = read<number>('text-line-height');
  const justify = read<Justify>('text-justify');
  const fixed = fixedPosition(read);
  const variable = variablePositions(read, compiled.given.has('text-radial-offset'));
  const rotate = read<number>('text-rotate');
  const writingModes = writingModesOf(read, placement, isAlong);
  const property = `${compiled.path}.layout.text-field`;
  const place = `The layer "${compiled.id}"`;

  return (feature) => {
    const value = field(feature);
    // A function in the syntax that preceded expressions returns a plain string.
    const formatted = value instanceof Formatted ? value : Formatted.fromString(value ?? '');
    if (formatted.sections.every(({ text, image }) => image === null && text.trim() === '')) {
      return null;
    }
    const stack = fonts(feature);
    const face = faceOf(stack) ?? refuseFont(stack, `${compiled.path}.layout.text-font`);
    const positions = isAlong ? null : variable(feature);
    const { anchor, offset } = fixed(feature);
    const type = {
      isAlong,
      isLetterwise,
      mayBeVertical: writingModes.includes('vertical'),
      spacingEm: letterSpacing(feature),
      maxWidth: placement === 'point' ? maxWidth(feature) * UNITS_PER_EM : Infinity,
      lineHeight: lineHeight(feature) * UNITS_PER_EM,
      justifications: possibleJustifications(isAlong ? 'center' : justify(feature), positions),
      // A label with several positions is shaped around its center and moved from there.
      anchor: positions === null ? anchor : 'center',
      offset: positions === null && !isAlong ? offset : ([0, 0] as const),
      verticalAnchor: anchor,
    } as const;
    const [first, ...others] = formatted.sections;
    const imageScale = UNITS_PER_EM / layoutSize(feature);
    const shaped =
      others.length === 0 && isPlain(first!)
        ? shapePlainText(transformText(first!.text, transform(feature)), face, type)
        : shapeSections(
            formatted.sections.map((section) =>
              section.image === null
                ? textSection(section, transform(feature), face, faceOf, property)
                : imageSection(
                    section,
                    images.named(section.image.name, compiled.id),
                    imageScale,
                    isSmooth,
                    face,
                  ),
            ),
            type,
          );
    const { text, spacingEm, shapes, vertical, missing } = shaped;
    for (const [letter, font] of missing) omissions.addLetter(letter, font, place);
    if (shapes === null) return null;
    if (vertical !== null && text.includes(IMAGE_LETTER)) refuseVerticalImage(property);
    const textSize = sizes(feature);
    return {
      sizes: textSize,
      isAlong,
      shapes,
      vertical,
      writingModes,
      positions,
      offset,
      rotation: (rotate(feature) * Math.PI) / 180,
      label: {
        text,
        feature,
        sizePx: textSize.drawn,
        // The spacing of single letters is part of their positions.
        letterSpacingPx: isLetterwise ? 0 : spacingEm * textSize.drawn,
      },
    };
  };
}

/** Text along a line is also shaped vertically, for steep lines, unless it may be upside down. */
function writingModesOf(
  read: ReadProperty,
  placement: string,
  isAlong: boolean,
): readonly WritingMode[] {
  const onLine: WritingMode[] = ['horizontal'];
  if (isAlong && read<boolean>('text-keep-upright')()) onLine.push('vertical');
  if (placement !== 'point') return onLine;
  return read<WritingMode[] | undefined>('text-writing-mode')() ?? ['horizontal'];
}

/** Returns the texts to try at a point, in the order of preference. */
export function inWritingModes(text: FeatureText): FeatureText[] {
  const { vertical, writingModes, rotation } = text;
  if (vertical === null || text.isAlong) return [text];
  const turned = {
    ...text,
    shapes: new Map([['left' as const, vertical]]),
    rotation: rotation + Math.PI / 2,
  };
  return writingModes.map((mode) => (mode === 'vertical' ? turned : text));
}

function possibleJustifications(
  justify: Justify,
  positions: readonly Position[] | null,
): Justify[] {
  if (justify !== 'auto' || positions === null) return [justify];
  return [...new Set(positions.map(({ anchor }) => justifyOf(anchor)))];
}

const VERTICAL_SHARES = { top: 0, center: 0.5, bottom: 1 };

/** Whether a section is a text in the face, size, and color of the label */
function isPlain({ image, scale, fontStack, textColor, verticalAlign }: FormattedSection): boolean {
  return [image, scale, fontStack, textColor, verticalAlign].every((value) => value === null);
}

const transformText = (text: string, transform: Transform) =>
  withArabicForms(transformCase(text, transform));

function textSection(
  { text, scale, fontStack, textColor, verticalAlign }: FormattedSection,
  transform: Transform,
  labelFace: Face,
  faceOf: FaceOf,
  property: string,
): Section {
  const stack = fontStack?.split(',');
  const face = stack === undefined ? labelFace : (faceOf(stack) ?? refuseFont(stack, property));
  return {
    ...plainSection(transformText(text, transform), face),
    scale: scale || 1,
    height: (scale || 1) * UNITS_PER_EM,
    lineScale: scale || 1,
    verticalShare: VERTICAL_SHARES[verticalAlign ?? 'bottom'],
    color: textColor,
  };
}

/** @param scale 1/24 em of the label's size per CSS pixel */
function imageSection(
  { textColor, verticalAlign }: FormattedSection,
  image: StyleImage | null,
  scale: number,
  isSmooth: boolean,
  labelFace: Face,
): Section {
  const face = image === null ? labelFace : new ImageFace(image, isSmooth);
  return {
    text: image === null ? '' : IMAGE_LETTER,
    face,
    scale,
    height: image === null ? 0 : displayHeight(image) * scale,
    lineScale: 1,
    verticalShare: VERTICAL_SHARES[verticalAlign ?? 'bottom'],
    color: textColor,
  };
}

function refuseFont(stack: readonly string[], property: string): never {
  throw new UnsupportedStyleError([{ property, reason: unavailableFont(stack.join(',')) }]);
}

function refuseVerticalImage(property: string): never {
  const reason = 'has an image in a text that may be written vertically: use text only';
  throw new UnsupportedStyleError([{ property, reason }]);
}

type Transform = 'none' | 'uppercase' | 'lowercase';

function transformCase(text: string, transform: Transform): string {
  if (transform === 'uppercase') return text.toLocaleUpperCase('en');
  return transform === 'lowercase' ? text.toLocaleLowerCase('en') : text;
}
