/** The page of places: its map, and the form that imports a file. */
import { render } from 'preact';
import { data, findOptional } from '../../browser/dom.ts';
import { Importer, type Settings } from './browser/importer.tsx';
import { showPlacesMap } from './browser/places-map.ts';

void showPlacesMap();
// Only people who may change places have it.
const place = findOptional('#importer', HTMLElement);
if (place) render(<Importer settings={JSON.parse(data(place, 'settings')) as Settings} />, place);
