/** Credits for streets, as text and as HTML for the corners of maps. */
import { escapeHtml } from '../../base/text/escape-html.ts';

export const OSM_CREDITS = '© OpenStreetMap contributors';

/** Links to the license, as the OpenStreetMap Foundation asks: https://osmfoundation.org/wiki/Licence/Attribution_Guidelines */
export const creditsHtml = (attribution: string): string =>
  escapeHtml(attribution).replace(
    OSM_CREDITS,
    `<a href="https://www.openstreetmap.org/copyright">${OSM_CREDITS}</a>`,
  );
