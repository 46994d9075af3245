/** Files of all formats as rows or features, and what to do about the others. */
import { strToU8, zipSync } from 'fflate';
import mapshaper from 'mapshaper';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { openBytes, openFile } from '../../../src/base/files/open-file.ts';
import type { Table } from '../../../src/base/files/rows.ts';

async function contentOf(bytes: Uint8Array | string, chunkBytes = Infinity) {
  const all = Buffer.from(bytes as Uint8Array);
  async function* chunks() {
    for (let at = 0; at < all.length; at += chunkBytes) yield all.subarray(at, at + chunkBytes);
  }
  const file = await openFile(chunks());
  const content: unknown[] = [];
  if ('rows' in file) {
    for await (const rows of file.rows) content.push(...rows.map(({ cells }) => cells));
  } else for await (const features of file.features) content.push(...features);
  return { format: file.format, note: file.note, content };
}

const CELLS = [
  ['ZIP', 'City'],
  ['75201', 'Cañon'],
];
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');

describe('a table', () => {
  it.each([
    ['CSV', 'ZIP,City\n75201,Cañon\n'],
    ['TSV, as pasted', 'ZIP\tCity\r\n75201\tCañon'],
    ['with semicolons and a hint', 'sep=;\nZIP;City\n75201;Cañon\n'],
    ['UTF-8 with a byte order mark', '\uFEFFZIP,City\n75201,Cañon\n'],
    ['UTF-16', utf16('ZIP\tCity\n75201\tCañon\n')],
    ['UTF-16, big-endian', utf16('ZIP\tCity\n75201\tCañon\n').swap16()],
    ['Windows-1252', Buffer.from('ZIP,City\n75201,Cañon\n', 'latin1')],
  ])('is read in chunks of any size: %s', async (_, file) => {
    for (const chunkBytes of [1, 3, 10, Infinity]) {
      expect(await contentOf(file, chunkBytes)).toEqual({
        format: 'csv',
        note: '',
        content: CELLS,
      });
    }
  });

  it('may be a workbook, whose sheet is chosen by its rows', async () => {
    const cell = (value: string) => ({ value, type: String });
    const sheet = (name: string, rows: string[][]) => ({
      sheet: name,
      data: rows.map((row) => row.map(cell)),
    });
    const notes = sheet('Notes', [
      ['a', 'b'],
      ['c', 'd'],
    ]);
    const file = await writeXlsxFile([notes, sheet('ZIP codes', CELLS)]).toBuffer();
    const isTable = (rows: readonly { cells: string[] }[]) => rows[0]?.cells[0] === 'ZIP';
    const { rows, note } = (await openBytes(file, { isTable })) as Table;
    const read: string[][] = [];
    for await (const some of rows) read.push(...some.map(({ cells }) => cells));
    expect(read).toEqual(CELLS);
    expect(note).toBe('Read from the sheet “ZIP codes”. Other sheets: “Notes”.');
    expect((await contentOf(file)).note).toContain('“Notes”. Other sheets: “ZIP codes”.');
  });
});

describe('features', () => {
  const SQUARE = [
    [-97, 32],
    [-97, 33],
    [-96, 33],
    [-96, 32],
    [-97, 32],
  ];
  const area = {
    type: 'Feature',
    properties: { name: 'Nørth' },
    geometry: { type: 'Polygon', coordinates: [SQUARE] },
  };
  const KML =
    '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Nørth</name>' +
    `<Polygon><outerBoundaryIs><LinearRing><coordinates>${SQUARE.map((one) => one.join()).join(' ')}` +
    '</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>';
  const collection = { type: 'FeatureCollection', features: [area] };
  const shapefile = async (...options: string[]) =>
    mapshaper.applyCommands(['-i', 'a.json', ...options, '-o', 'a.shp', 'encoding=utf8'], {
      'a.json': collection,
    });
  const archive = (files: Record<string, string | Uint8Array>) =>
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [name, Buffer.from(content as Uint8Array)]),
      ),
    );

  it.each<[string, string, () => Promise<Uint8Array | string> | Uint8Array | string]>([
    ['geojson', 'a collection', () => JSON.stringify(collection)],
    ['geojson', 'one feature on several lines', () => JSON.stringify(area, null, 1)],
    ['geojson', 'a geometry alone', () => JSON.stringify(area.geometry)],
    ['geojson', 'one per line', () => `${JSON.stringify(area)}\n`],
    ['kml', 'KML', () => KML],
    ['kml', 'KMZ', () => archive({ 'files/other.kml': '<kml/>', 'doc.kml': KML })],
    ['shapefile', 'a shapefile', async () => archive(await shapefile())],
    [
      'shapefile',
      'a shapefile in a folder, in meters, next to files of macOS',
      async () => {
        const files = Object.entries(await shapefile('-proj', 'webmercator'));
        const inFolder = files.map(([name, content]) => [`Areas/${name.toUpperCase()}`, content]);
        return archive({ ...Object.fromEntries(inFolder), '__MACOSX/._a.shp': 'x' });
      },
    ],
  ])('are read in degrees, with their properties: %s, %s', async (format, what, file) => {
    const read = await contentOf(await file(), 1_000);
    expect(read.format).toBe(format);
    const [feature] = read.content as (typeof area)[];
    expect(read.content).toHaveLength(1);
    const [ring] = feature!.geometry.coordinates;
    const corners = ring!.map((one) =>
      one.map((degrees) => Math.round(1e6 * degrees) / 1e6).join(),
    );
    expect(corners.toSorted()).toEqual(SQUARE.map((one) => one.join()).toSorted());
    const isBare = what === 'a geometry alone';
    expect(feature!.properties?.name).toBe(isBare ? undefined : 'Nørth');
  });

  it('of a shapefile are refused with advice if they can’t be read', async () => {
    const files = await shapefile();
    const { 'a.prj': _, ...meters } = await shapefile('-proj', 'webmercator');
    for (const [given, message] of [
      [{ ...files, 'b.shp': 'x' }, 'The ZIP archive has several shapefiles: a.shp, b.shp.'],
      [meters, 'their projection is unknown. Add the .prj file'],
      [{ ...files, 'a.shp': files['a.shp']!.slice(0, 150) }, 'is damaged or incomplete'],
    ] as const) {
      await expect(contentOf(archive(given))).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(message),
      });
    }
  });
});

describe('any other file', () => {
  const isXlsx = /Export it as an Excel workbook \(\.xlsx\) or CSV\./;
  const isAny = /Use a list, CSV, an Excel workbook \(\.xlsx\), GeoJSON, KML, KMZ, or a zipped/;
  it.each<[string, Uint8Array | string, RegExp, RegExp]>([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), /old version/, isXlsx],
    [
      'a workbook with a password',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      /protected with a password/,
      /Remove the password/,
    ],
    ['a binary workbook', zipSync({ 'xl/workbook.bin': strToU8('x') }), /xlsb/, isXlsx],
    ['a Numbers spreadsheet', zipSync({ 'Index/A.iwa': strToU8('x') }), /Numbers/, isXlsx],
    ['an OpenDocument file', zipSync({ 'content.xml': strToU8('x') }), /OpenDocument/, isXlsx],
    ['another archive', zipSync({ 'a.csv': strToU8('zip') }), /neither a workbook/, /Unpack it/],
    ['a part of a shapefile', Buffer.from('0000270a00000000', 'hex'), /one part of a/, isAny],
    ['a GeoPackage', 'SQLite format 3\0', /a GeoPackage/, isAny],
    ['a PDF', '%PDF-1.7', /a PDF document/, isAny],
    ['a web page', '<!DOCTYPE html><table>', /XML or HTML/, isAny],
    ['binary content', '75201\0', /isn’t text/, isAny],
    ['other JSON', '{"zips": ["75201"]}', /not GeoJSON/, /Use a FeatureCollection/],
    ['a list of JSON', '["75201"]', /not GeoJSON/, /Use a FeatureCollection/],
    [
      'half of GeoJSON',
      '{"type":"FeatureCollection","features":[{},{"type":',
      /ends too early, in feature 2\./,
      /Export it again/,
    ],
    [
      'damaged GeoJSON',
      '{"type":"FeatureCollection","features":[{},{"type":"Feature",}]}',
      /feature 2 isn’t valid JSON/,
      /Export it again/,
    ],
  ])('is refused, and the refusal says what to do: %s', async (_, file, what, advice) => {
    const refusal = contentOf(file);
    await expect(refusal).rejects.toThrow(what);
    await expect(refusal).rejects.toThrow(advice);
    await expect(refusal).rejects.toMatchObject({ status: 400 });
  });
});
