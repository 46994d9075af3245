/** Reads the features of a file that belong in a layer of the basemap. */
import { basename } from 'node:path';
import type { BasemapLayer, FeatureFacts } from '../../basemap/features.ts';
import type { Queryable } from '../../db/database.ts';
import { ImportError } from '../../errors.ts';
import { openLineShapes } from '../shapefile/line-shapes.ts';
import { readShapes, refuseUnreadable } from '../shapes.ts';
import type { Shapes } from '../shape-levels.ts';
import type { Findings } from '../report.ts';
import type { Features } from '../stage-features.ts';
import { areaM2 } from '../topology.ts';
import { censusPlaces, isCensusPlaces } from './census-places.ts';
import { joinRoads } from './join-roads.ts';
import { DESCRIBE, GEOMETRY } from './layers.ts';

/** TIGER's roads touch. In other national files, with a precision of a kilometer, their ends don't. */
const ROAD_GAP_M = 1_500;

/**
 * Yields the features of a file. TIGER's lines, which may be millions, are read in chunks; other files are
 * read as a whole.
 * @throws ImportError if the file can't be read or contains nothing for the layer
 */
export async function* readFeatures(
  db: Queryable,
  file: string,
  layer: BasemapLayer,
  findings: Findings,
): AsyncGenerator<Features> {
  await refuseUnreadable(file);
  const lines = await openLineShapes(file, 'mtfcc');
  let kept = 0;
  let joined = 0;
  for await (const chunk of lines ?? [await readShapes([file])]) {
    const { shapes, features } = isCensusPlaces(layer, chunk)
      ? await censusPlaces(db, chunk, findings)
      : { shapes: chunk, features: describeAll(chunk, file, layer, findings) };
    if (features.size === 0) continue;
    kept += features.size;
    const found = { shapes, features };
    const whole = layer === 'roads' ? joinRoads(found, lines ? 0 : ROAD_GAP_M) : found;
    joined += features.size - whole.features.size;
    yield whole;
  }
  if (joined > 0) findings.tally(joined, 'road segments continue others and were joined to them');
  if (kept > 0) return;
  const [first] = findings.rejected;
  throw new ImportError(
    `${basename(file)} contains nothing for the layer ${layer}` +
      (first ? `: ${first.reason} (${first.examples[0]}).` : '.'),
  );
}

function describeAll(
  { properties, levels: [finest] }: Shapes,
  path: string,
  layer: BasemapLayer,
  findings: Findings,
): Map<number, FeatureFacts> {
  const describe = DESCRIBE[layer];
  const name = basename(path);
  const file = name.toLowerCase();
  const features = new Map<number, FeatureFacts>();
  properties.forEach((raw, index) => {
    findings.rowsRead++;
    const geometry = finest!.geometries[index];
    const reject = (reason: string) => findings.reject(reason, `${name}, feature ${index + 1}`);
    if (!geometry) return reject('the geometry is missing or empty');
    if (!GEOMETRY[layer].test(geometry.type)) {
      return reject(`a ${geometry.type} doesn’t belong in the layer ${layer}`);
    }
    const description = describe({
      properties: Object.fromEntries(
        Object.entries(raw).map(([key, value]) => [key.toLowerCase(), value]),
      ),
      file,
      isLine: geometry.type.endsWith('LineString'),
      areaM2: () => areaM2(geometry, finest!.arcs),
    });
    if (typeof description === 'string') return reject(description);
    features.set(index, { layer, ...description });
  });
  return features;
}
