/**
 * `npm run sample`: recomputes the files of the sample data, after its packages or the code have changed. Tests
 * compare the files with a fresh result.
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const { packWater, WATER_FILE } = await import('../../../dist/data/ingest/sample/fitted-water.js');
const { packShapes } = await import('../../../dist/data/ingest/sample/packed-shapes.js');
const { sampleZipPolygons } = await import('../../../dist/data/ingest/sample/polygons.js');
const { writeSampleStreets } = await import('../../../dist/data/ingest/sample/streets/archive.js');
const { ZIPS_FILE } = await import('../../../dist/data/ingest/sample/zip-shapes.js');
const { simplifyFeatures } = await import('../../../dist/data/ingest/shapes.js');
const { projectFile, SAMPLE_STREETS } = await import('../../../dist/base/geodata/project-files.js');

const { levels } = await simplifyFeatures({
  type: 'FeatureCollection',
  features: sampleZipPolygons(),
});
writeFileSync(projectFile(ZIPS_FILE), brotliCompressSync(packShapes(levels)));
writeFileSync(projectFile(WATER_FILE), brotliCompressSync(await packWater()));
await writeSampleStreets(SAMPLE_STREETS);
