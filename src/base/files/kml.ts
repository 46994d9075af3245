/** Converts KML, such as from Google Earth or our exports, to GeoJSON. Pure. */
import { createRequire } from 'node:module';
import { kml } from '@tmcw/togeojson';
import type { Feature, FeatureCollection } from 'geojson';
import { badRequest } from '../../errors.ts';

type Report = (message: string) => void;
type Parser = new (options: {
  errorHandler: Record<'warning' | 'error' | 'fatalError', Report>;
}) => { parseFromString(text: string, type: 'text/xml'): Parameters<typeof kml>[0] };

/** Loaded without its types, which would add the types of browsers to the whole program. */
const { DOMParser } = createRequire(import.meta.url)('@xmldom/xmldom') as { DOMParser: Parser };

/** Fields of placemarks become properties, even without a schema. @throws ServiceError 400 if it isn't KML */
export function kmlFeatures(text: string): Feature[] {
  const problem = (message: string) => {
    const [, reason] = /\t(.*)/.exec(message) ?? [];
    throw badRequest(
      `This starts like KML but isn’t valid XML${reason ? ` (${reason})` : ''}. Export it again.`,
    );
  };
  const errorHandler = { warning: () => {}, error: problem, fatalError: problem };
  const document = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml');
  const { features } = kml(document) as FeatureCollection;
  if (features.length > 0) return features;
  throw badRequest('The KML file has no placemarks. Export the areas again.');
}
