import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { ConfigError } from '../../../src/errors.ts';
import { commandStreetsOf, streetsOf } from '../../../src/run/start/streets.ts';
import { archiveFolder, keepLines, SAMPLE, writeStreets } from '../../data/streets/archives.ts';
import { testDatabase } from '../../support/database.ts';

const { db: sample } = await testDatabase('sample');
const { db: empty } = await testDatabase('empty');
const inFolder = archiveFolder();

const configOf = (file?: string) => readConfig(file === undefined ? {} : { BASEMAP_TILES: file });

async function started(file: string | undefined, db: typeof sample) {
  const log = keepLines();
  const streets = await streetsOf(configOf(file), Promise.resolve(db), log);
  onTestFinished(() => streets.close());
  return { streets, lines: log.lines };
}

describe('a service without BASEMAP_TILES', () => {
  it('shows the sample’s streets with the sample’s data only', async () => {
    const { streets } = await started(undefined, sample);
    await expect.poll(() => streets.current()?.attribution).toBe('Sample streets (made up)');
    const other = await started(undefined, empty);
    await new Promise(setImmediate);
    expect([other.streets.isWanted(), other.streets.current(), other.lines]).toEqual([
      false,
      null,
      [],
    ]);
    expect(await commandStreetsOf(configOf(), empty, () => {})).toBeNull();
  });
});

describe('BASEMAP_TILES', () => {
  it('names the streets to show, with any data', async () => {
    await writeStreets(inFolder('own'), { name: 'Own' });
    const { streets, lines } = await started(inFolder('own'), empty);
    expect(streets.current()?.name).toBe('Own');
    expect(lines).toEqual(['maps show streets']);
  });

  it('can’t name another kind of file', async () => {
    writeFileSync(inFolder('text'), 'text');
    const opening = started(inFolder('text'), sample);
    await expect(opening).rejects.toBeInstanceOf(ConfigError);
    await expect(opening).rejects.toThrow(
      `BASEMAP_TILES: ${inFolder('text')} is not a PMTiles archive`,
    );
    const command = commandStreetsOf(configOf(inFolder('text')), sample, () => {});
    await expect(command).rejects.toBeInstanceOf(ConfigError);
  });

  it('may name a file that can’t be read yet: maps are plain, and a command says so', async () => {
    const { streets } = await started(inFolder('missing'), sample);
    expect([streets.isWanted(), streets.current()]).toEqual([true, null]);
    const warnings: string[] = [];
    const command = await commandStreetsOf(configOf(inFolder('missing')), sample, (warning) =>
      warnings.push(warning),
    );
    await command!.close();
    expect(warnings).toEqual([
      expect.stringMatching(
        /^the archive of streets can’t be read: maps are plain \(.*missing: ENOENT/,
      ),
    ]);
  });

  it.each([
    ['ftp://tiles.example.com/us.pmtiles', /BASEMAP_TILES must be .*https:\/\/tiles\.example\.com/],
    ['https://', /BASEMAP_TILES must be/],
  ])('can’t be %s', (address, message) => {
    expect(() => configOf(address)).toThrow(message);
  });

  it('is an address or a path, which is resolved', () => {
    expect(configOf('https://tiles.example.com/us.pmtiles').basemapTiles).toBe(
      'https://tiles.example.com/us.pmtiles',
    );
    expect(configOf('us.pmtiles').basemapTiles).toBe(`${process.cwd()}/us.pmtiles`);
    expect(configOf(SAMPLE).basemapTiles).toBe(SAMPLE);
    expect(configOf().basemapTiles).toBeUndefined();
  });
});
