import { describe, expect, it } from 'vitest';
import { parsePastedZips } from '../../src/territory/pasted-zips.ts';

describe('a pasted list', () => {
  it.each([
    ['lines', '75201\n75202\r\n75203'],
    ['commas', '75201,75202, 75203'],
    ['tabs and semicolons', '75201\t75202;75203;'],
    ['a sentence’s punctuation', '75203 / 75202 | 75201.'],
    ['quotes of a table', '"75201","75202","75203"'],
    ['ZIP+4', '75201-1234 752021234 75203'],
    ['repetitions', '75203 75201 75202 75201'],
  ])('is read with any separator: %s', (_what, text) => {
    expect(parsePastedZips(text).zips).toEqual(['75201', '75202', '75203']);
  });

  it('reports each guessed or unrecognized entry once', () => {
    expect(parsePastedZips('zip: 75201, 2138, 2138 Dallas 123456 —')).toEqual({
      zips: ['02138', '75201'],
      guessed: [{ given: '2138', zip: '02138', reason: expect.stringContaining('Leading zeros') }],
      notUnderstood: [
        { given: 'zip:', reason: 'No ZIP code found.' },
        { given: 'Dallas', reason: 'No ZIP code found.' },
        { given: '123456', reason: 'A ZIP code has five digits, not 6.' },
      ],
    });
  });

  it('may be empty', () => {
    expect(parsePastedZips(' \n, ;')).toEqual({ zips: [], guessed: [], notUnderstood: [] });
  });
});
