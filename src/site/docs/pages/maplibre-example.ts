/** A whole page with a map, as a reader would begin with it. */

/** @param api where people reach the interface */
export const maplibrePageExample = (api: string) => `<!doctype html>
<meta charset="utf-8" />
<title>Demand by ZIP code</title>
<link rel="stylesheet" href="https://unpkg.com/maplibre-gl@6/dist/maplibre-gl.css" />
<style>
  #map { position: absolute; inset: 0 }
  select { position: absolute; z-index: 1; top: 1rem; left: 1rem; font: inherit }
</style>
<div id="map"></div>
<select aria-label="Vertical">
  <option value="roofing">Roofing</option>
  <option value="hvac">HVAC</option>
  <option value="plumbing">Plumbing</option>
</select>
<script type="module">
  import * as maplibregl from 'https://unpkg.com/maplibre-gl@6/dist/maplibre-gl.mjs';

  const select = document.querySelector('select');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const style = () =>
    \`${api}/styles/\${dark ? 'dark' : 'light'}.json?vertical=\${select.value}\`;

  const map = new maplibregl.Map({
    container: 'map',
    style: style(),
    bounds: [-97.8, 32.4, -96, 33.4],
  });
  select.addEventListener('change', () => map.setStyle(style()));

  map.on('click', 'zip-fill', ({ lngLat, features: [{ properties }] }) => {
    const from = properties[select.value];
    const text = from === undefined ? 'unknown' : \`\${from} or more\`;
    new maplibregl.Popup().setLngLat(lngLat).setText(\`\${properties.zip}: \${text}\`).addTo(map);
  });
</script>`;
