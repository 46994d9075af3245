import { describe, expect, it } from 'vitest';
import { withArabicForms } from '../../src/render/canvas/text/arabic.ts';
import type { Face, Section } from '../../src/render/canvas/text/label.ts';
import { wrapSections } from '../../src/render/canvas/text/sections.ts';

const face = {
  pieces: (text: string) => [{ text, letters: 1, advance: [...text].length }],
} as unknown as Face;
const section = (text: string) => ({ text, face, scale: 1 }) as Section;

/** The lines as they are drawn, sections separated by bars */
const draw = (texts: string[], width = Infinity) =>
  wrapSections(texts.map(section), width, 0).map((line) => line.map(({ text }) => text).join('|'));

describe('right-to-left text', () => {
  it('is drawn from the right, with numbers and Latin from the left', () => {
    expect(draw(['אבג'])).toEqual(['גבא']);
    expect(draw(['אבג 12 ab'])).toEqual(['ab 12 גבא']);
    expect(draw(['ab אבג 12 cd'])).toEqual(['ab 12 גבא cd']);
  });

  it('mirrors brackets and keeps marks on their letters', () => {
    expect(draw(['(אב)'])).toEqual(['(בא)']);
    expect(draw(['שָׁב'])).toEqual(['בשָׁ']);
    expect(draw(['\u200fab\u200f אב'])).toEqual(['בא ab']);
  });

  it('breaks into lines first, and keeps sections', () => {
    expect(draw(['אבג דהו'], 4)).toEqual(['גבא', 'והד']);
    expect(draw(['אב', 'גד'])).toEqual(['דג|בא']);
  });
});

describe('an Arabic letter', () => {
  it.each([
    ['takes the form of its place in a word', 'بيت', '\ufe91\ufef4\ufe96'],
    ['stands alone after a letter that joins no further', 'دار', '\ufea9\ufe8d\ufead'],
    ['is one with a following alef if it is lam', 'لا سلام', '\ufefb \ufeb3\ufefc\ufee1'],
    ['joins across marks, and its marks have their own forms', 'بَت', '\ufe91\ufe77\ufe96'],
    ['joins to a long line', 'ـب', '\u0640\ufe90'],
  ])('%s', (_behavior, text, drawn) => {
    expect(withArabicForms(text)).toBe(drawn);
  });

  it('leaves other text unchanged', () => {
    expect(withArabicForms('Dallas, אב')).toBe('Dallas, אב');
  });
});
