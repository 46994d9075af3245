/** Tables name their encoding in many ways. */
import { expect, it } from 'vitest';
import { textDecoder } from '../../../src/base/files/shapefile/encoding.ts';

const decode = async (bytes: number[], cpg: string | undefined, language = 0) => {
  const notes: string[] = [];
  const decoder = await textDecoder(cpg, language, (note) => notes.push(note));
  return [decoder(Buffer.from(bytes)), notes.length];
};

it.each([
  '88591',
  '8859-1',
  'ISO 8859-1',
  'ISO-8859-1',
  'iso_8859_1',
  'latin1',
  'ANSI 1252',
  'ANSI',
  'cp1252',
  'windows-1252',
  '1252',
  'WIN1252\r\n',
  '28591',
])('Latin letters of the encoding “%s” are read', async (cpg) => {
  expect(await decode([0xf1], cpg)).toEqual(['ñ', 0]);
});

it.each(['OEM 437', '437', 'cp437', 'IBM437', '850', 'CP850', 'LDID/1', 'LDID/2'])(
  'letters of the DOS encoding “%s” are read',
  async (cpg) => expect(await decode([0xa4], cpg)).toEqual(['ñ', 0]),
);

it.each(['UTF-8', 'utf8', 'UTF_8', '65001', 'CP65001', '', undefined, 'LDID/87'])(
  'with “%s”, text is UTF-8 if it can be',
  async (cpg) => {
    expect(await decode([0xc3, 0xb1], cpg)).toEqual(['ñ', 0]);
    expect(await decode([0xf1], cpg)).toEqual(['ñ', 0]);
  },
);

it('the language of a table without a .cpg file decides unless text is UTF-8', async () => {
  expect(await decode([0xa4], undefined, 1)).toEqual(['ñ', 0]);
  expect(await decode([0xf1], undefined, 87)).toEqual(['ñ', 0]);
  expect(await decode([0xc3, 0xb1], undefined, 1)).toEqual(['ñ', 0]);
});

it('an unknown encoding gets a note', async () => {
  expect(await decode([0xf1], 'KLINGON')).toEqual(['ñ', 1]);
});
