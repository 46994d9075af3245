/** Golden pictures: pictures that a person looked at and approved. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { comparePictures, haveEqualPixels } from './compare-pictures.ts';

/** The platform of the golden pictures, where pixels must be equal. Skia is built for each platform. */
const isGoldenPlatform = process.platform === 'linux' && process.arch === 'x64';

/**
 * Compares a picture with `fixtures/golden/NAME.png`: pixel by pixel on the platform where that was
 * drawn, elsewhere by eye. `UPDATE=1` rewrites the golden picture; look at it afterwards.
 */
export async function expectGolden(name: string, picture: Buffer): Promise<void> {
  const file = projectFile(`fixtures/golden/${name}.png`);
  if (process.env.UPDATE === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, picture);
  }
  expect(existsSync(file), `${file} is missing: UPDATE=1 draws it`).toBe(true);
  const golden = readFileSync(file);
  if (await haveEqualPixels(golden, picture)) return;
  const { share, mean } = await comparePictures(golden, picture);
  const verdict = { pixels: isGoldenPlatform ? 'other' : 'may differ', share, mean };
  expect(verdict, `${name} differs from its golden picture`).toEqual({
    pixels: 'may differ',
    share: 0,
    mean: expect.closeTo(0, 1),
  });
}
