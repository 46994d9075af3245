/**
 * The sample's ZIP code boundaries at all levels of detail. They are the same on every machine, and generating
 * and simplifying them takes 8 s of CPU, so the result is stored in `geodata/sample-zips.br`. `npm run sample`
 * computes it again.
 */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { projectFile } from '../../paths.ts';
import type { Shapes } from '../shapes.ts';
import { unpackShapes } from './packed-shapes.ts';

export const ZIPS_FILE = 'geodata/sample-zips.br';

/** Reads the file. @param zips those of the gazetteer, in its order */
export function sampleZipShapes(zips: readonly string[]): Shapes {
  const levels = unpackShapes(brotliDecompressSync(readFileSync(projectFile(ZIPS_FILE))));
  return { properties: zips.map((zip) => ({ zip })), levels };
}
