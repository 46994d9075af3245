import { describe, expect, it } from 'vitest';
import { readPastedZips } from '../../../src/territories/brands/pasted-zips.ts';

const HELD = ['75201', '75203', '75205', '75301'];
const read = (text: string) => readPastedZips(text, async () => HELD);

describe('a pasted list', () => {
  it.each([
    ['lines', '75201\n75202\r\n75203'],
    ['commas', '75201,75202, 75203'],
    ['tabs and semicolons', '75201\t75202;75203;'],
    ['a sentence’s punctuation', '75203 / 75202 | 75201.'],
    ['quotes of a table', '"75201","75202","75203"'],
    ['ZIP+4', '75201-1234 752021234 75203'],
    ['repetitions', '75203 75201 75202 75201'],
    ['a column of a table', 'name,zip\nAnn,75201\nBob,75202\nCid,75203'],
  ])('is read with any separator: %s', async (_what, text) => {
    expect((await read(text)).zips).toEqual(['75201', '75202', '75203']);
  });

  it('selects from the given ZIP codes by ranges and prefixes', async () => {
    expect((await read('75202-75205, 753*')).zips).toEqual(['75203', '75205', '75301']);
    expect((await read('75202-75205')).doubts).toMatchObject([{ zips: ['75203', '75205'] }]);
    expect(await read('999xx')).toEqual({
      zips: [],
      doubts: [{ given: '999xx', zips: [], reason: 'No ZIP code found from 99900 to 99999.' }],
    });
  });

  it('reports each guessed or unrecognized entry once', async () => {
    expect(await read('75201, 2138, 2138, Dallas, Dallas, 123456, —')).toEqual({
      zips: ['02138', '75201'],
      doubts: [
        { given: '2138', zips: ['02138'], reason: expect.stringContaining('Leading zeros') },
        { given: 'Dallas', zips: [], reason: 'No ZIP code found.' },
        { given: '123456', zips: [], reason: 'A ZIP code has five digits, not 6.' },
      ],
    });
  });

  it('may be empty', async () => {
    expect(await read(' \n, ;')).toEqual({ zips: [], doubts: [] });
  });
});
