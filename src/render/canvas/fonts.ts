/**
 * The fonts of labels and furniture: Noto Sans from npm. System fonts are never used, so a picture is
 * the same on every machine.
 */
import { GlobalFonts } from '@napi-rs/canvas';
import { createRequire } from 'node:module';
import { hasInk } from './omissions.ts';

const require = createRequire(import.meta.url);

/** Face names as on glyph servers, with the weight and style in their file names */
const FACES: Readonly<Record<string, string>> = {
  'Noto Sans Regular': '400-normal',
  'Noto Sans Italic': '400-italic',
  'Noto Sans Medium': '500-normal',
  'Noto Sans Medium Italic': '500-italic',
  'Noto Sans SemiBold': '600-normal',
  'Noto Sans Bold': '700-normal',
};

export const SHIPPED_FACES: readonly string[] = Object.keys(FACES);

/**
 * The package splits each face by script. Skia uses only one file per family name, so each file is
 * registered under its own name, and a font lists all of them. North American names need no other
 * scripts.
 */
const SCRIPTS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic'] as const;

/** Returns the first face of a stack that the project ships, or null. */
export function shippedFace(stack: readonly string[]): string | null {
  return stack.find((face) => Object.hasOwn(FACES, face)) ?? null;
}

/** The reason to refuse a font stack without a shipped face, as the rest of a sentence */
export const unavailableFont = (stack: string) =>
  `names no available font: ${stack.replaceAll(',', ', ')}. Use one of: ${SHIPPED_FACES.join(', ')}`;

const families = new Map<string, string>();

/** Returns a font for `context.font`; registers the face's files on first use. */
export function cssFont(face: string, sizePx: number): string {
  let family = families.get(face);
  if (family === undefined) {
    family = SCRIPTS.map((script) => `"${register(face, script)}"`).join(',');
    families.set(face, family);
  }
  return `${sizePx}px ${family}`;
}

function register(face: string, script: string): string {
  const alias = `${face} ${script}`;
  // All threads of a process share registered fonts.
  if (!GlobalFonts.has(alias)) {
    const file = `@fontsource/noto-sans/files/noto-sans-${script}-${FACES[face]}.woff2`;
    if (GlobalFonts.registerFromPath(require.resolve(file), alias) === null) {
      throw new Error(`Cannot read the font ${file}. Reinstall the npm packages.`);
    }
  }
  return alias;
}

/**
 * Characters that the package declares but its files lack: Coptic letters, rare punctuation and
 * arrows, the som sign, and phonetic letters.
 */
const MISSING_GLYPHS = [
  '\\u{3e2}-\\u{3ef}\\u{2000}-\\u{2012}\\u{2015}-\\u{2017}\\u{201b}\\u{201f}\\u{2021}\\u{2023}-\\u{2025}',
  '\\u{2027}-\\u{2031}\\u{2034}-\\u{2038}\\u{203b}-\\u{2043}\\u{2045}-\\u{206f}\\u{20c0}',
  '\\u{2191}\\u{2193}\\u{2215}\\u{a720}-\\u{a7ff}',
].join('');

let undrawable: RegExp | null = null;

/**
 * Removes the characters that the registered files lack, which Skia would take from a system font.
 * MapLibre also skips glyphs that its fonts lack. Special spaces and hyphens become plain ones.
 */
export function drawableText(text: string): string {
  undrawable ??= undrawablePattern();
  return text
    .replace(/[\u2000-\u200a\u202f\u205f]/g, ' ')
    .replace(/[\u2010-\u2012]/g, '-')
    .replace(undrawable, '');
}

/** Returns the letters that `drawableText` removes. */
export function missingLetters(text: string): string[] {
  if (drawableText(text).length === text.length) return [];
  return [...text].filter((letter) => hasInk(letter) && drawableText(letter) === '');
}

function undrawablePattern(): RegExp {
  // `{ latin: 'U+0000-00FF,U+0131,...' }`
  const ranges = require('@fontsource/noto-sans/unicode.json') as Record<string, string>;
  const covered = SCRIPTS.flatMap((script) => ranges[script]!.split(','))
    .map((range) => range.replace(/[0-9A-F]+/g, '\\u{$&}').replace('U+', ''))
    .join('');
  // Keeps line breaks and removes all other control characters.
  return new RegExp(`[^\\n${covered}]|[\\p{Cc}--\\n]|[${MISSING_GLYPHS}]`, 'gv');
}
