/** Sources that the canvas engine reads, by type. */
import { accept, type Subset } from './subset.ts';

export const SOURCE_SUBSETS: Readonly<Record<string, Subset>> = {
  geojson: {
    ...accept('type data attribution filter promoteId generateId'),
    ...accept('maxzoom buffer tolerance lineMetrics cluster'),
    ...accept('clusterRadius clusterMaxZoom clusterMinPoints clusterProperties'),
  },
  vector: {
    ...accept('type url tiles bounds scheme minzoom maxzoom attribution volatile'),
    // Only feature states use it, and a still picture has none.
    ...accept('promoteId'),
    encoding: ['mvt'],
    emptyResponse: ['blank'],
  },
  raster: {
    ...accept('type url tiles bounds scheme minzoom maxzoom tileSize attribution volatile'),
    emptyResponse: ['blank'],
  },
  'raster-dem': {
    ...accept('type url tiles bounds minzoom maxzoom tileSize attribution volatile'),
    ...accept('encoding redFactor greenFactor blueFactor baseShift'),
    emptyResponse: ['blank'],
  },
  image: accept('type url coordinates'),
};
