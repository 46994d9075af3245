/** Golden pictures: what an engine drew once, was looked at and found good. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { projectFile } from '../../src/paths.ts';
import { comparePictures } from './compare-pictures.ts';

/**
 * Where the same code gives the same bytes: Skia and zlib of the pinned packages are built for each
 * platform, and rounding may differ between them.
 */
const isHome = process.platform === 'linux' && process.arch === 'x64';

/**
 * Holds a picture against `fixtures/golden/NAME.png`: the same bytes on the platform where that was
 * drawn, elsewhere the same to the eye. `UPDATE=1` rewrites it: look at what it wrote.
 */
export async function expectGolden(name: string, picture: Buffer): Promise<void> {
  const file = projectFile(`fixtures/golden/${name}.png`);
  if (process.env.UPDATE === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, picture);
  }
  expect(existsSync(file), `${file} is missing: UPDATE=1 draws it`).toBe(true);
  const golden = readFileSync(file);
  if (picture.equals(golden)) return;
  const { share, mean } = await comparePictures(golden, picture);
  const verdict = { bytes: isHome ? 'other' : 'may differ', share, mean };
  expect(verdict, `${name} differs from its golden picture`).toEqual({
    bytes: 'may differ',
    share: 0,
    mean: expect.closeTo(0, 1),
  });
}
