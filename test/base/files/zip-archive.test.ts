/** ZIP archives, which workbooks are, and which contain shapefiles. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import {
  bytesInMemory,
  bytesOfFile,
  readZipEntries,
  readZipEntry,
  type ArchiveBytes,
} from '../../../src/base/files/zip-archive.ts';
import { readShapes } from '../../../src/data/ingest/shapes.ts';
import { findShapefiles, readPart } from '../../../src/base/files/shapefile/parts.ts';
import { openBytes } from '../../../src/base/files/open-file.ts';
import type { Table } from '../../../src/base/files/rows.ts';
import { zipArchive, type ArchiveOptions } from './archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'archives-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function contentsOf(archive: ArchiveBytes): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const entry of await readZipEntries(archive)) {
    const parts: Buffer[] = [];
    for await (const part of readZipEntry(archive, entry)) parts.push(part);
    contents[entry.name] = Buffer.concat(parts).toString();
  }
  return contents;
}

const FILES = { 'a.txt': 'x'.repeat(600_000), 'folder/b.txt': 'b', 'empty.txt': '' };

describe('a ZIP archive', () => {
  it.each<[string, ArchiveOptions]>([
    ['deflated', {}],
    ['stored', { method: 0 }],
    ['of 64 bits', { isZip64: true }],
    ['stored, of 64 bits', { isZip64: true, method: 0 }],
    ['with a comment', { comment: 'made by PK\u0005\u0006, long ago' }],
  ])('is read from memory and from a file: %s', async (_, options) => {
    const bytes = zipArchive(FILES, options);
    expect(await contentsOf(bytesInMemory(bytes))).toEqual(FILES);
    expect(await contentsOf(bytesOfFile(fileOf('a.zip', bytes)))).toEqual(FILES);
  });

  it.each([
    [{ method: 9 }, 'compressed with Deflate64'],
    [{ method: 12 }, 'compressed with BZIP2'],
    [{ method: 14 }, 'compressed with LZMA'],
    [{ method: 93 }, 'compressed with Zstandard'],
    [{ method: 95 }, 'compressed with XZ'],
    [{ method: 77 }, 'compressed with method 77'],
    [{ method: 99 }, 'is encrypted'],
    [{ isEncrypted: true }, 'is encrypted'],
    [{ part: 2 }, 'has several parts'],
  ])('names what it can’t read: %j', async (options, message) => {
    await expect(contentsOf(bytesInMemory(zipArchive(FILES, options)))).rejects.toThrow(message);
    const shapefile = zipArchive({ 'roads.shp': 'x', 'roads.dbf': 'x' }, options);
    await expect(readShapes([fileOf('roads.zip', shapefile)])).rejects.toThrow(message);
    const geoJson = zipArchive({ 'areas.geojson': '{}' }, options);
    await expect(readShapes([fileOf('areas.zip', geoJson)])).rejects.toThrow(message);
    const workbook = zipArchive({ '[Content_Types].xml': 'x', 'xl/workbook.xml': 'x' }, options);
    const opened = openBytes(workbook);
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toMatchObject({ status: 400 });
  });

  it.each([true, false])('is damaged wherever a byte is missing (64 bits: %s)', async (isZip64) => {
    const bytes = zipArchive({ 'a.txt': 'some text' }, { isZip64 });
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytesInMemory(Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]));
      const read = contentsOf(damaged).then((found) => Object.values(found).includes('some text'));
      // A byte that nothing depends on may be missing.
      expect(await read.catch((error: unknown) => error instanceof Error)).toBe(true);
    }
  });

  it('has as many bytes and the checksum that it claims', async () => {
    const bytes = zipArchive({ 'a.txt': 'some text' }, { method: 0 });
    bytes.write('other', bytes.indexOf('some text'));
    await expect(contentsOf(bytesInMemory(bytes))).rejects.toThrow('a.txt is damaged');
  });
});

describe('an archive of 64 bits', () => {
  it('may be a workbook', async () => {
    const rows = [
      ['ZIP', 'Jobs'],
      ['75201', '3'],
    ].map((row) => row.map((value) => ({ value, type: String })));
    const file = await writeXlsxFile([{ data: rows, sheet: 'Jobs' }]).toBuffer();
    const table = await openBytes(zipArchive(unzipSync(file), { isZip64: true }));
    const read = [];
    for await (const some of (table as Table).rows) read.push(...some);
    expect(read.map(({ cells }) => cells)).toEqual([
      ['ZIP', 'Jobs'],
      ['75201', '3'],
    ]);
  });

  it('may contain a shapefile', async () => {
    const bytes = zipArchive({ 'roads.shp': 'shapes', 'roads.DBF': 'rows' }, { isZip64: true });
    const [parts] = await findShapefiles(fileOf('roads64.zip', bytes));
    expect((await readPart(parts!, '.shp'))!.toString()).toBe('shapes');
    expect((await readPart(parts!, '.dbf'))!.toString()).toBe('rows');
  });
});
