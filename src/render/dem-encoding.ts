/** How elevation tiles encode heights as colors. */
import type { RasterDEMSourceSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from './errors.ts';
import type { DemEncoding } from './scene.ts';

const ENCODINGS = new Map<string, DemEncoding>([
  // https://docs.mapbox.com/data/tilesets/reference/mapbox-terrain-rgb-v1/
  ['mapbox', { red: 6553.6, green: 25.6, blue: 0.1, shift: 10_000 }],
  // https://github.com/tilezen/joerd/blob/master/docs/formats.md#terrarium
  ['terrarium', { red: 256, green: 1, blue: 1 / 256, shift: 32_768 }],
]);

/** @throws InvalidSceneError for an unknown encoding, which a TileJSON document may name */
export function demEncoding(source: RasterDEMSourceSpecification): DemEncoding {
  const { encoding = 'mapbox' } = source;
  if (encoding === 'custom') {
    const { redFactor = 1, greenFactor = 1, blueFactor = 1, baseShift = 0 } = source;
    return { red: redFactor, green: greenFactor, blue: blueFactor, shift: baseShift };
  }
  const known = ENCODINGS.get(encoding);
  if (known !== undefined) return known;
  throw new InvalidSceneError([
    `the elevation tiles have the encoding "${String(encoding)}": use mapbox, terrarium, or custom`,
  ]);
}
