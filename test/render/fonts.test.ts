import { createHash } from 'node:crypto';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { cssFont, drawableText, shippedFace } from '../../src/render/canvas/fonts.ts';

function digestOf(text: string, face: string): string {
  const canvas = createCanvas(24 + 30 * text.length, 60);
  const context = canvas.getContext('2d');
  context.lang = 'en';
  context.font = cssFont(face, 20);
  context.fillText(text, 12, 36);
  return createHash('sha1').update(canvas.data()).digest('hex');
}

describe('the fonts', () => {
  it('do not include system fonts in this test', () => {
    expect(GlobalFonts.families.filter(({ family }) => !family.startsWith('Noto Sans'))).toEqual(
      [],
    );
  });

  it('resolve a stack to its first shipped name', () => {
    const stack = ['Open Sans Bold', 'Noto Sans Bold', 'Noto Sans Regular'];
    expect(shippedFace(stack)).toBe('Noto Sans Bold');
    expect(shippedFace(['Open Sans Bold'])).toBeNull();
  });

  it('differ by weight and style', () => {
    const faces = ['Noto Sans Regular', 'Noto Sans SemiBold', 'Noto Sans Italic'];
    expect(new Set(faces.map((face) => digestOf('Dallas 75201', face))).size).toBe(3);
  });

  it('omit characters that they cannot draw', () => {
    expect(drawableText('Cañon City – Ōtaki\n漢字 مرحبا \u0000😀Δ')).toBe(
      'Cañon City – Ōtaki\n  Δ',
    );
  });

  it('draw special spaces and hyphens as plain ones', () => {
    expect(drawableText('Winston\u2010Salem\u2009NC')).toBe('Winston-Salem NC');
  });

  it.each(['Noto Sans Regular', 'Noto Sans Bold', 'Noto Sans Italic'])(
    'contain every character that `drawableText` keeps, so none comes from a system font (%s)',
    (face) => {
      const all = Array.from({ length: 0xfffe }, (_, code) => String.fromCharCode(code));
      const letters = [...new Set(all.map(drawableText))].filter((letter) => letter.trim() !== '');
      expect(letters.length).toBeGreaterThan(1000);
      const missingGlyph = digestOf('漢', face);
      const missing = letters.filter((letter) => digestOf(letter, face) === missingGlyph);
      expect(missing.map((letter) => letter.charCodeAt(0).toString(16))).toEqual([]);
    },
  );
});
