/** A plan as GeoJSON, in the documentation */
export const GEOJSON_EXAMPLE = JSON.stringify({
  type: 'FeatureCollection',
  name: 'Dallas 2027',
  market: '1 ZIP code',
  features: [
    {
      type: 'Feature',
      id: '75201',
      properties: { zip: '75201', number: 1, territory: 'North', brand: 'lone-star-roofing' },
      geometry: {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [-96.81, 32.78],
              [-96.79, 32.78],
              [-96.8, 32.8],
              [-96.81, 32.78],
            ],
          ],
        ],
      },
    },
  ],
});
