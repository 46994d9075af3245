/**
 * Vertical text: which characters stand upright, and which punctuation takes its vertical form. Pure.
 * A vertical text is shaped as a level line, which is then turned clockwise by a quarter.
 */
import type { Section, SectionedLine } from './label.ts';

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

/**
 * How a character stands in vertical text, from the property Vertical_Orientation of Unicode (UAX 50):
 * `upright` as in Chinese, `rotated` as in Latin, and `neutral` where it depends on the neighbors.
 */
type Orientation = 'upright' | 'neutral' | 'rotated';

/** Values U and Tu, except for symbols that Western text uses too; in hexadecimal */
const UPRIGHT = rangesOf(
  '2ea-2eb 1100-11ff 1401-167f 18b0-18ff 2065 20dd-20e0 20e2-20e4 2b97 2bf0-2bff 2e50-2e51 2e80-3007 ' +
    '3012-3013 3020-302f 3031-30fb 30fd-a4cf a960-a97f ac00-d7ff f900-faff fe10-fe1f fe30-fe48 fe50-fe57 ' +
    'fe5f-fe62 fe67-fe6f ff00-ff07 ff0a-ff0c ff0e-ff19 ff1f-ff3a ff3c ff3e ff40-ff5a ffe0-ffe2 ffe4-ffe7 ' +
    'fff0-fff8 10980-1099f 11580-115ff 11a00-11abf 13000-1467f 16fe0-18dff 1aff0-1b2ff 1cec0-1cfcf ' +
    '1d000-1d1ff 1d2e0-1d37f 1d800-1daaf 1f000-1f7ff 1f900-1faff 20000-2fffd 30000-3fffd',
);

const NEUTRAL = rangesOf(
  'a7 a9 ae b1 bc-be d7 f7 2016 2020-2021 2030-2031 203b-203c 2042 2047-2049 2051 2100-218f 221e ' +
    '2234-2235 2300-2307 230c-231f 2324-2328 232b 237d-239a 23be-23cd 23cf 23d1-23db 23e2-2422 2424-24ff ' +
    '25a0-2619 2620-2767 2776-2793 2b12-2b2f 2b50-2b59 2bb8-2beb 3000-303f 30a0-30ff e000-f8ff fe30-fe6f ' +
    'ff00-ffef fffc-fffd f0000-10ffff',
);

function orientationOf(character: string): Orientation {
  const codePoint = character.codePointAt(0)!;
  if (contains(UPRIGHT, codePoint)) return 'upright';
  return contains(NEUTRAL, codePoint) ? 'neutral' : 'rotated';
}

type Range = readonly [first: number, last: number];

function rangesOf(text: string): Range[] {
  return text.split(' ').map((range) => {
    const [first, last] = range.split('-').map((hex) => Number.parseInt(hex, 16));
    return [first!, last ?? first!];
  });
}

function contains(ranges: readonly Range[], codePoint: number): boolean {
  // Most text is Latin.
  if (codePoint < ranges[0]![0]) return false;
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
