/**
 * QR codes as inline SVG. They are dark on light in both color schemes, because some readers require that.
 */
import { encodeQR } from 'qr';
import { html, Html } from '../../../html.ts';

/** White modules around the code (ISO/IEC 18004 requires four) */
const QUIET_ZONE = 4;

/** @param label for screen readers */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, 'raw', { border: QUIET_ZONE });
  const size = rows.length;
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg
    class="qr-code"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${dark.join('')}" fill="#000" />
  </svg>`;
}
