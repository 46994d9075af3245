/** What a symbol layer wants written, and in what type, before anyone looks for room. Pure. */
import type { Color, Formatted } from '@maplibre/maplibre-gl-style-spec';
import { UnsupportedStyleError } from '../../errors.ts';
import { drawableText, shippedFace } from '../fonts.ts';
import type { ScreenFeature } from '../screen-feature.ts';
import { inkOf, type Ink, type ReadProperty } from '../values.ts';
import type { Section } from './sections.ts';
import type { GlyphRun, Justify, Typography } from './shape.ts';

/** A symbol layer with what it shows in this picture. */
export interface SymbolLayer {
  /** Place in the document, for messages */
  path: string;
  read: ReadProperty;
  /** Text size and paint follow the fractional zoom, other layout the whole one, as in MapLibre. */
  readLayout: ReadProperty;
  features: readonly ScreenFeature[];
}

export interface PlacedLabel {
  text: string;
  face: string;
  sizePx: number;
  letterSpacingPx: number;
  runs: GlyphRun[];
  ink: Ink;
  halo: (Ink & { widthPx: number; blurPx: number }) | null;
}

/** What one feature wants written. */
export interface Candidate {
  feature: ScreenFeature;
  text: string;
  sections: readonly Section[];
  type: Typography;
  label: Omit<PlacedLabel, 'runs'>;
}

/** @throws UnsupportedStyleError */
export function candidatesOf({ path, read, readLayout, features }: SymbolLayer): Candidate[] {
  const field = readLayout<Formatted>('text-field');
  const transform = readLayout<'none' | 'uppercase' | 'lowercase'>('text-transform');
  const fonts = readLayout<string[]>('text-font');
  const size = read<number>('text-size');
  const letterSpacing = readLayout<number>('text-letter-spacing');
  const maxWidth = readLayout<number>('text-max-width');
  const lineHeight = readLayout<number>('text-line-height');
  const justify = readLayout<Justify>('text-justify');
  const color = read<Color>('text-color');
  const opacity = read<number>('text-opacity');
  const haloColor = read<Color>('text-halo-color');
  const haloWidth = read<number>('text-halo-width');
  const haloBlur = read<number>('text-halo-blur');

  const candidates: Candidate[] = [];
  for (const feature of features) {
    const { style } = feature;
    const formatted = field(style);
    const ink = inkOf(color(style), opacity(style));
    const sizePx = size(style);
    if (formatted.toString().trim() === '' || ink === null || sizePx <= 0) continue;

    const face = shippedFace(fonts(style));
    if (face === null) {
      throw new UnsupportedStyleError(`${path}.layout.text-font`, 'names no font shipped here');
    }
    const sections = sectionsOf(formatted, { face, opacity: opacity(style), path }).map(
      (section) => ({
        ...section,
        text: drawableText(transformed(section.text, transform(style))),
      }),
    );
    const text = sections.map((section) => section.text).join('');
    if (text.trim() === '') continue;
    const type: Typography = {
      face,
      sizePx,
      letterSpacingEm: letterSpacing(style),
      lineHeightEm: lineHeight(style),
      maxWidthEm: maxWidth(style),
      justify: justify(style),
    };
    const haloInk = inkOf(haloColor(style), opacity(style));
    const haloPx = haloWidth(style);
    candidates.push({
      feature,
      text,
      sections,
      type,
      label: {
        text,
        face,
        sizePx,
        letterSpacingPx: type.letterSpacingEm * sizePx,
        ink,
        halo:
          haloInk === null || haloPx <= 0
            ? null
            : { ...haloInk, widthPx: haloPx, blurPx: haloBlur(style) },
      },
    });
  }
  return candidates;
}

function sectionsOf(
  { sections }: Formatted,
  label: { face: string; opacity: number; path: string },
): Section[] {
  return sections.map(({ text, image, scale, fontStack, textColor, verticalAlign }) => {
    const place = `${label.path}.layout.text-field`;
    if (image !== null) throw new UnsupportedStyleError(place, 'is drawn without images');
    if (verticalAlign !== null && verticalAlign !== 'bottom') {
      throw new UnsupportedStyleError(place, 'is drawn with its sections on one level');
    }
    const face = fontStack === null ? label.face : shippedFace(fontStack.split(','));
    if (face === null) throw new UnsupportedStyleError(place, 'names no font shipped here');
    return {
      text,
      face,
      scale: scale ?? 1,
      ink: textColor === null ? null : (inkOf(textColor, label.opacity) ?? CLEAR),
    };
  });
}

const CLEAR: Ink = { css: 'transparent', alpha: 0, opaque: false };

function transformed(text: string, transform: 'none' | 'uppercase' | 'lowercase'): string {
  if (transform === 'uppercase') return text.toLocaleUpperCase('en');
  return transform === 'lowercase' ? text.toLocaleLowerCase('en') : text;
}
