/** How elevation tiles encode heights as colors. */
import type { RasterDEMSourceSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { DemEncoding } from './scene.ts';

const ENCODINGS = {
  // https://docs.mapbox.com/data/tilesets/reference/mapbox-terrain-rgb-v1/
  mapbox: { red: 6553.6, green: 25.6, blue: 0.1, shift: 10_000 },
  // https://github.com/tilezen/joerd/blob/master/docs/formats.md#terrarium
  terrarium: { red: 256, green: 1, blue: 1 / 256, shift: 32_768 },
} as const;

export function demEncoding(source: RasterDEMSourceSpecification): DemEncoding {
  if (source.encoding !== 'custom') return ENCODINGS[source.encoding ?? 'mapbox'];
  const { redFactor = 1, greenFactor = 1, blueFactor = 1, baseShift = 0 } = source;
  return { red: redFactor, green: greenFactor, blue: blueFactor, shift: baseShift };
}
