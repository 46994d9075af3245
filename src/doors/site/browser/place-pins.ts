/** Pins of an organization's places on interactive maps. */
import type { GeoJSONSource, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { pinSources, withPins, type Pin } from '../../../maps/cartography/place-pins.ts';

/** Adds the layers of pins above all others. The page's types of styles are MapLibre's own. */
export const stylePins = (style: StyleSpecification) =>
  withPins(style as Parameters<typeof withPins>[0]) as StyleSpecification;

/** Returns what shows these pins and no others, also after a change of the color scheme. */
export function pinsOn(map: MapLibreMap): (pins: readonly Pin[]) => void {
  let shown: readonly Pin[] = [];
  const draw = () => {
    for (const [id, features] of Object.entries(pinSources(shown))) {
      map.getSource<GeoJSONSource>(id)?.setData({ type: 'FeatureCollection', features });
    }
  };
  map.on('style.load', () => {
    if (shown.length > 0) draw();
  });
  return (pins) => {
    // Without any, no source has to be loaded again.
    const isChange = pins.length > 0 || shown.length > 0;
    shown = pins;
    if (isChange) draw();
  };
}
