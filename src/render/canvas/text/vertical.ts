/**
 * Vertical text: which characters stand upright, and which punctuation takes its vertical form. Pure.
 * A vertical text is shaped as a level line, which is then turned clockwise by a quarter.
 */
import type { Section } from './label.ts';
import type { SectionedLine } from './sections.ts';
import { orientationOf } from './vertical-orientation.ts';

/** Punctuation, and below each character its vertical form, or else its full-width form */
const LEVEL =
  '!#$%&()*+,-./:;<=>?@[\\]^_`{|}~¢£¥¦¬¯–—‘’“”…⋯‧₩、。〈〉《》「」『』【】〔〕〖〗！（），－．：；＜＞？［］＿｛｜｝｟｠｡｢｣';
const VERTICAL =
  '︕＃＄％＆︵︶＊＋︐︲・／︓︔︿＝﹀︖＠﹇＼﹈＾︳｀︷―︸～￠￡￥￤￢￣︲︱﹃﹄﹁﹂︙︙・￦︑︒︿﹀︽︾﹁﹂﹃﹄︻︼︹︺︗︘︕︵︶︐︲・︓︔︿﹀︖﹇﹈︳︷―︸︵︶︒﹁﹂';
const VERTICAL_FORMS = new Map([...LEVEL].map((level, i) => [level, [...VERTICAL][i]!]));

/** Whether a text has characters that stand upright in vertical text */
export function canBeVertical(text: string): boolean {
  return [...text].some((character) => orientationOf(character) === 'upright');
}

/** Replaces punctuation with its vertical form, except next to characters that lie on their side. */
export function withVerticalPunctuation(text: string): string {
  const characters = [...text];
  const adapts = (character: string | undefined) =>
    character === undefined ||
    orientationOf(character) !== 'rotated' ||
    VERTICAL_FORMS.has(character);
  return characters
    .map((character, i) =>
      adapts(characters[i - 1]) && adapts(characters[i + 1])
        ? (VERTICAL_FORMS.get(character) ?? character)
        : character,
    )
    .join('');
}

/** Sets the characters of a label at a point upright, except for spaces and Arabic. */
export function setUpright(line: SectionedLine): SectionedLine {
  return splitByStance(line, [...textOf(line)].map(standsAtPoint));
}

const standsAtPoint = (character: string) => !/[\s\p{Script=Arabic}]/u.test(character);

/**
 * Sets the characters of a label along a line upright: those of vertical scripts, numbers, and codes of
 * up to three capitals, and punctuation among them.
 */
export function setUprightAlong(line: SectionedLine): SectionedLine {
  const characters = [...textOf(line)];
  const isUpright = characters.map((character) => orientationOf(character) === 'upright');
  for (const [start, end] of runsOf(characters, isUpright)) {
    if (!isUprightRun(characters.slice(start, end))) continue;
    for (let i = start; i < end; i++) isUpright[i] = /[\p{Nd}\p{Lu}]/u.test(characters[i]!);
  }
  const replaced = characters.map((character, i) => {
    const form = VERTICAL_FORMS.get(character);
    if (isUpright[i] || form === undefined) return character;
    const isAmongUpright = (isUpright[i - 1] ?? true) && (isUpright[i + 1] ?? true);
    if (!isAmongUpright) return character;
    isUpright[i] = true;
    return form;
  });
  return splitByStance(replaceText(line, replaced.join('')), isUpright);
}

/** Returns the ranges of characters between upright ones and spaces. */
function runsOf(characters: readonly string[], isUpright: readonly boolean[]): [number, number][] {
  const runs: [start: number, end: number][] = [];
  for (const [i, character] of characters.entries()) {
    if (isUpright[i] || /\s/u.test(character)) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[1] === i) last[1] = i + 1;
    else runs.push([i, i + 1]);
  }
  return runs;
}

const MAX_CODE_LENGTH = 3;

function isUprightRun(run: readonly string[]): boolean {
  const text = run.join('');
  const isNumber = /^[\p{Nd}\p{P}\p{S}]*$/u.test(text) && /\p{Nd}/u.test(text);
  return isNumber || (run.length <= MAX_CODE_LENGTH && /^[\p{Lu}\p{Nd}]*$/u.test(text));
}

/** Replaces the text of sections by another of the same length. */
export function replaceText(line: SectionedLine, text: string): SectionedLine {
  let start = 0;
  return line.map((section) => {
    const end = start + section.text.length;
    const replaced = { ...section, text: text.slice(start, end) };
    start = end;
    return replaced;
  });
}

function textOf(line: SectionedLine): string {
  return line.map(({ text }) => text).join('');
}

/** Splits sections so that the characters of each have the same orientation. */
function splitByStance(line: SectionedLine, isUpright: readonly boolean[]): SectionedLine {
  let index = 0;
  return line.flatMap((section) => {
    const parts: Section[] = [];
    for (const character of section.text) {
      const stands = isUpright[index++]!;
      const last = parts.at(-1);
      if (last !== undefined && (last.isUpright ?? false) === stands) last.text += character;
      else if (stands) {
        parts.push({ ...section, text: character, isUpright: true, verticalShare: 1 });
      } else parts.push({ ...section, text: character });
    }
    return parts;
  });
}
