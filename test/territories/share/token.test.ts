import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToken, randomCode } from '../../../src/territories/share/token.ts';

/** Values that no link has */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const NO_CODE = '';

describe('a short code', () => {
  const codes = Array.from({ length: 20_000 }, randomCode);

  it('has ten symbols that are hard to confuse', () => {
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has each of the 32 symbols about equally often', () => {
    const counts = new Map<string, number>();
    for (const symbol of codes.join('')) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
    expect(counts.size).toBe(32);
    // Expected: 6,250 each. The standard deviation is 78; 6.5 of them are exceeded once in 10^10.
    for (const count of counts.values()) expect(Math.abs(count - 6_250)).toBeLessThan(510);
  });
});

describe('parseToken', () => {
  it('accepts a UUID or a short code, in lowercase or uppercase', () => {
    const id = randomUUID();
    expect(parseToken(id)).toEqual({ id, code: NO_CODE });
    expect(parseToken(id.toUpperCase())).toEqual({ id, code: NO_CODE });
    expect(parseToken('4f7k2m9x0q')).toEqual({ id: NO_ID, code: '4f7k2m9x0q' });
    expect(parseToken('4F7K2M9X0Q')).toEqual({ id: NO_ID, code: '4f7k2m9x0q' });
  });

  it('accepts a pasted address of a share page, of its picture, and of its data', () => {
    const code = '4f7k2m9x0q';
    for (const address of [
      `https://territory.example.com/s/${code}`,
      ` https://territory.example.com/api/shared/${code}/map.png?width=300`,
      `http://localhost:3000/s/${code}?embed=1#map`,
    ]) {
      expect(parseToken(address)).toEqual({ id: NO_ID, code });
    }
    expect(parseToken('https://territory.example.com/x')).toEqual({ id: NO_ID, code: NO_CODE });
  });

  it('accepts letters for the digits they look like', () => {
    expect(parseToken('4f7k2m9xoI')).toEqual({ id: NO_ID, code: '4f7k2m9x01' });
    expect(parseToken('lLlLlOoOoO')).toEqual({ id: NO_ID, code: '1111100000' });
  });

  it('returns an id and a code that no link has for any other text', () => {
    const none = { id: NO_ID, code: NO_CODE };
    for (const text of ['', 'abc', '4f7k2m9x0', '4f7k2m9x0q1', '4f7k2m9x0u', `${randomUUID()}0`]) {
      expect(parseToken(text)).toEqual(none);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { id, code } = parseToken(`${text}!`);
        expect([id, code]).toEqual([NO_ID, NO_CODE]);
      }),
    );
  });
});
