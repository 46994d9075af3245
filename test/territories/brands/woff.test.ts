import { create } from 'fontkit';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { openTypeOf } from '../../../src/territories/brands/exhibit/woff.ts';

const require = createRequire(import.meta.url);

interface Outlines {
  numGlyphs: number;
  directory: { tag: string };
  glyphsForString(text: string): { advanceWidth: number; path: { toSVG(): string } }[];
}

const read = (file: Buffer) => create(file) as unknown as Outlines;
const glyphs = (font: Outlines, text: string) =>
  font.glyphsForString(text).map(({ advanceWidth, path }) => [advanceWidth, path.toSVG()]);

it.each([
  ['latin', 'Territory 75201, Äß…'],
  ['cyrillic', 'Территория'],
])('a decompressed font has the same letters: %s', (script, text) => {
  const file = `@fontsource/noto-sans/files/noto-sans-${script}-400-normal.woff`;
  const woff = readFileSync(require.resolve(file));
  const [packed, font] = [read(woff), read(openTypeOf(woff))];
  expect([packed.directory.tag, font.directory.tag]).toEqual(['wOFF', '\0\x01\0\0']);
  expect(font.numGlyphs).toBe(packed.numGlyphs);
  expect(glyphs(font, text)).toEqual(glyphs(packed, text));
});
