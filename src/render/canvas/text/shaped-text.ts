/** The shapes of a text in the type of its layer. Names recur from picture to picture, so plain texts are shaped once. */
import { allowsLetterSpacing } from './bidi.ts';
import type { Face, SectionedLine } from './label.ts';
import type { Offset } from './positions.ts';
import { plainSection, wrapSections } from './sections.ts';
import { shapeText, type Anchor, type Justify, type TextShape } from './shape.ts';
import { TextCache } from './text-cache.ts';
import { UNITS_PER_EM } from './units.ts';
import {
  canBeVertical,
  replaceText,
  setUpright,
  setUprightAlong,
  withVerticalPunctuation,
} from './vertical.ts';

/** Everything but the text and its face that shapes depend on */
interface TextType {
  /** Whether it follows a line */
  isAlong: boolean;
  /** Whether each letter is placed by itself */
  isLetterwise: boolean;
  /** Whether it may be written vertically, if it has letters that stand upright */
  mayBeVertical: boolean;
  spacingEm: number;
  /** In 1/24 em, as all following lengths */
  maxWidth: number;
  lineHeight: number;
  justifications: readonly Justify[];
  anchor: Anchor;
  offset: Offset;
  verticalAnchor: Anchor;
}

export interface ShapedText {
  /** As far as it can be drawn */
  text: string;
  spacingEm: number;
  /** By justification; only one if the label position doesn't affect it. Null if none of the text can be drawn */
  shapes: ReadonlyMap<Justify, TextShape> | null;
  /** The text written vertically; null for text that stays horizontal */
  vertical: TextShape | null;
  /** Letters without a glyph, and the font of each */
  missing: readonly (readonly [letter: string, font: string])[];
}

/** Shapes of each face, by type and text */
const kept = new WeakMap<Face, TextCache<ShapedText>>();
const MAX_KEPT = 5_000;

/** The type of the text that was shaped last. Texts of a layer come one after another. */
let latest: { type: TextType; key: string } | undefined;

/** Shapes a text in one face, size, and color. */
export function shapePlainText(text: string, face: Face, type: TextType): ShapedText {
  let cache = kept.get(face);
  if (cache === undefined) kept.set(face, (cache = new TextCache(MAX_KEPT)));
  if (latest === undefined || !isSameType(type, latest.type))
    latest = { type, key: JSON.stringify(type) };
  const { key } = latest;
  let shaped = cache.get(key, text);
  if (shaped === undefined) {
    shaped = shapeSections([plainSection(text, face)], type);
    cache.set(key, text, shaped);
  }
  return shaped;
}

type PlainField = Exclude<keyof TextType, 'offset' | 'justifications'>;

const PLAIN_FIELDS = Object.keys({
  isAlong: true,
  isLetterwise: true,
  mayBeVertical: true,
  spacingEm: true,
  maxWidth: true,
  lineHeight: true,
  anchor: true,
  verticalAnchor: true,
} satisfies Record<PlainField, true>) as PlainField[];

function isSameType(a: TextType, b: TextType): boolean {
  return (
    PLAIN_FIELDS.every((field) => a[field] === b[field]) &&
    a.offset[0] === b.offset[0] &&
    a.offset[1] === b.offset[1] &&
    a.justifications.length === b.justifications.length &&
    a.justifications.every((justify, i) => justify === b.justifications[i])
  );
}

/** @param whole the text before the removal of what its faces can't draw */
export function shapeSections(whole: SectionedLine, type: TextType): ShapedText {
  const { isAlong, isLetterwise, maxWidth, lineHeight, anchor, offset } = type;
  const sections = drawableSections(whole);
  const text = sections.map((section) => section.text).join('');
  const spacingEm = allowsLetterSpacing(text) ? type.spacingEm : 0;
  const letterSpacing = spacingEm * UNITS_PER_EM;
  const lines = wrapSections(sections, maxWidth, letterSpacing);
  const typography = { letterSpacing, lineHeight, anchor, offset };
  const missing = whole.flatMap(({ text: all, face }) =>
    face.missing(all).map((letter) => [letter.normalize('NFKC'), face.name] as const),
  );
  const shapes = new Map<Justify, TextShape>();
  for (const justify of type.justifications) {
    const shape = shapeText(lines, { ...typography, justify }, (section) =>
      isLetterwise ? section.face.letters(section.text) : section.face.pieces(section.text),
    );
    if (shape === null) return { text, spacingEm, shapes: null, vertical: null, missing };
    shapes.set(justify, shape);
  }
  const verticalShape = () => {
    const plain = whole.map((section) => section.text).join('');
    const vertical = drawableSections(replaceText(whole, withVerticalPunctuation(plain)));
    const verticalLines = wrapSections(vertical, maxWidth, letterSpacing).map((line) =>
      isAlong ? setUprightAlong(line) : setUpright(line),
    );
    const verticalType = isAlong
      ? { ...typography, justify: 'center' as const }
      : {
          ...typography,
          anchor: type.verticalAnchor,
          justify: 'left' as const,
          alignsMiddles: true,
        };
    return shapeText(verticalLines, verticalType, ({ face, text }) => face.letters(text));
  };
  const isVertical = type.mayBeVertical && canBeVertical(text);
  return { text, spacingEm, shapes, vertical: isVertical ? verticalShape() : null, missing };
}

function drawableSections(sections: SectionedLine): SectionedLine {
  return sections.map((section) => ({ ...section, text: section.face.drawable(section.text) }));
}
