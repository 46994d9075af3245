/** Reads the features of a file that belong in a layer of the basemap. */
import { basename } from 'node:path';
import type { BasemapLayer, FeatureFacts } from '../../basemap/features.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { ImportError } from '../../../errors.ts';
import { whyOutside } from '../../../base/geodata/country.ts';
import type { Kind } from '../read-dataset.ts';
import { openLineShapes } from '../line-shapes.ts';
import { readShapesByKind, refuseUnreadable } from '../shapes.ts';
import type { Shapes } from '../shape-levels.ts';
import type { Findings } from '../report.ts';
import type { Features } from '../stage-features.ts';
import { joinFirst, pluralize } from '../../../base/text/words.ts';
import { areaM2, boundsOf } from '../topology.ts';
import { censusPlaces, isCensusPlaces } from './census-places.ts';
import { joinRoads } from './join-roads.ts';
import { AREA_CODE, DESCRIBE, GEOMETRY } from './layers.ts';

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
  const note = (text: string) => findings.note(text);
  const lines = await openLineShapes(file, 'mtfcc', note);
  const unite = {
    keyOf: (properties: Record<string, unknown>) =>
      AREA_CODE[layer]?.(lowerCaseNames(properties)) ?? null,
    onUnited: (codes: readonly string[]) =>
      note(
        `${basename(file)}: ${pluralize(codes.length, 'area')} came in several features, which were united: ` +
          joinFirst(codes, 5),
      ),
  };
  let kept = 0;
  let joined = 0;
  let outside: string | null = null;
  let isInside = false;
  for await (const chunk of lines ??
    (await readShapesByKind([file], { kinds: KINDS[layer], note, unite }))) {
    const { shapes, features } = isCensusPlaces(layer, chunk)
      ? await censusPlaces(db, chunk, findings)
      : { shapes: chunk, features: describeAll(chunk, file, layer, findings) };
    if (features.size === 0) continue;
    kept += features.size;
    if (!isInside) {
      outside = whyAllOutside({ shapes, features });
      isInside = outside === null;
    }
    const found = { shapes, features };
    const whole = layer === 'roads' ? joinRoads(found, lines ? 0 : ROAD_GAP_M) : found;
    joined += features.size - whole.features.size;
    yield whole;
  }
  if (joined > 0) findings.tally(joined, 'road segments continue others and were joined to them');
  if (kept > 0 && isInside) return;
  if (outside !== null) {
    throw new ImportError(`${basename(file)} can’t be imported: ${outside}.`);
  }
  const [first] = findings.rejected;
  throw new ImportError(
    `${basename(file)} contains nothing for the layer ${layer}` +
      (first ? `: ${first.reason} (${first.examples[0]}).` : '.'),
  );
}

/** Kinds of geometry that a layer reads. The Census Bureau's places are areas */
const KINDS: Readonly<Record<BasemapLayer, readonly Kind[]>> = {
  states: ['polygon'],
  counties: ['polygon'],
  water: ['polygon', 'polyline'],
  landuse: ['polygon'],
  roads: ['polyline'],
  places: ['point', 'polygon'],
};

/** Returns the clause that explains a file without any feature in the country, or null if it has one. */
function whyAllOutside({ shapes, features }: Features): string | null {
  const [finest] = shapes.levels;
  let first: string | null = null;
  for (const index of features.keys()) {
    const why = whyOutside(boundsOf(finest!.geometries[index]!, finest!.arcs));
    if (why === null) return null;
    first ??= why;
  }
  return first;
}

function describeAll(
  { properties, absorbed, levels: [finest] }: Shapes,
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
    if (absorbed?.has(index)) return;
    const geometry = finest!.geometries[index];
    const reject = (reason: string) => findings.reject(reason, `${name}, feature ${index + 1}`);
    if (!geometry) return reject('the geometry is missing or empty');
    if (!GEOMETRY[layer].test(geometry.type)) {
      return reject(`a ${geometry.type} doesn’t belong in the layer ${layer}`);
    }
    const description = describe({
      properties: lowerCaseNames(raw),
      file,
      isLine: geometry.type.endsWith('LineString'),
      areaM2: () => areaM2(geometry, finest!.arcs),
    });
    if (typeof description === 'string') return reject(description);
    features.set(index, { layer, ...description });
  });
  return features;
}

const lowerCaseNames = (properties: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key.toLowerCase(), value]));
