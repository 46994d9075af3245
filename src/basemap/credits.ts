/** Credits for streets as HTML, for the corners of maps. */
import { escapeHtml } from '../text/escape-html.ts';

const OSM = '© OpenStreetMap contributors';

/** Links to the license, as the OpenStreetMap Foundation asks: https://osmfoundation.org/wiki/Licence/Attribution_Guidelines */
export const creditsHtml = (attribution: string): string =>
  escapeHtml(attribution).replace(
    OSM,
    `<a href="https://www.openstreetmap.org/copyright">${OSM}</a>`,
  );
