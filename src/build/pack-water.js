/**
 * `npm run water`: computes the water of the sample data again, after a change of the packages or the code that
 * it follows from. A test compares the file with them.
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const { packWater, WATER_FILE } = await import('../../dist/ingest/sample/fitted-water.js');
const { projectFile } = await import('../../dist/paths.js');
writeFileSync(projectFile(WATER_FILE), brotliCompressSync(await packWater()));
