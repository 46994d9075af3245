/**
 * The sample's ZIP code boundaries at all levels of detail. They are the same on every machine, and generating
 * and simplifying them takes 8 s of CPU, so the result is stored in `geodata/sample-zips.br`. `npm run sample`
 * computes it again.
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { projectFile } from '../../geodata/project-files.ts';
import type { Shapes } from '../shape-levels.ts';
import { unpackShapes } from './packed-shapes.ts';

export const ZIPS_FILE = 'geodata/sample-zips.br';

/**
 * Reads the file.
 * @param zips those of the gazetteer, in its order
 * @throws Error if the file was computed from another gazetteer
 */
export function sampleZipShapes(zips: readonly string[]): Shapes {
  const levels = unpackShapes(brotliDecompressSync(readFileSync(projectFile(ZIPS_FILE))));
  if (levels[0]!.geometries.length !== zips.length) {
    throw new Error(
      `${ZIPS_FILE} doesn’t match the gazetteer. Run \`npm ci\`, then \`npm run sample\`.`,
    );
  }
  return { properties: zips.map((zip) => ({ zip })), levels };
}
