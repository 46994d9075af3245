/** The map of a place. */
import { showPlacesMap } from '../browser/places-map.ts';

void showPlacesMap();
