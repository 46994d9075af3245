/**
 * `npm run water`: recomputes the water of the sample data, after its packages or the code have changed. A test
 * compares the file with a fresh result.
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const { packWater, WATER_FILE } = await import('../../dist/ingest/sample/fitted-water.js');
const { projectFile } = await import('../../dist/paths.js');
writeFileSync(projectFile(WATER_FILE), brotliCompressSync(await packWater()));
