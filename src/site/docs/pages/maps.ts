/** How front ends draw the maps themselves, and how pages show those that are drawn already. */
import { describeParameters } from '../../../contract/openapi.ts';
import { STYLE_NAMES } from '../../../basemap/styles.ts';
import { SHARE_DAYS } from '../../../share/links.ts';
import { VERTICALS } from '../../../scoring/verticals.ts';
import { listed } from '../../format.ts';
import { example, json, list, shell, table, text, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';
import { SHARE_PLACEHOLDER } from './common.ts';
import { maplibrePageExample } from './maplibre-example.ts';

export const mapsPage = ({ roots: { api, site }, operations }: DocsSource): DocPage => {
  const pictureChoices = choicesOf(operations.find(({ id }) => id === 'getPublicMapImage'));
  return {
    path: '/docs/maps',
    name: 'Maps and tiles',
    title: 'Maps and tiles',
    description:
      'Styles and vector tiles for MapLibre GL, the basemap as GeoJSON, pictures to embed, and shared maps.',
    sections: [
      {
        blocks: [
          text(
            'Nothing on this page needs a key, and pages of any origin may ask for it. Show the attribution that comes with the data; MapLibre GL does so by itself.',
          ),
        ],
      },
      {
        title: 'A map with MapLibre GL',
        blocks: [
          text(
            'This page is all it takes: the ZIP codes of the launched metros in the colours of their scores, a choice of verticals, and an answer to a click. It may come from anywhere.',
          ),
          example({ id: 'maps-maplibre', language: 'html', code: maplibrePageExample(api) }),
        ],
      },
      {
        title: 'Styles',
        blocks: [
          text(
            `There are ${STYLE_NAMES.length}: ${listed(STYLE_NAMES.map((name) => `[${name}](${api}/styles/${name}.json)`))}. \`?vertical=\` chooses the score that colours the ZIP codes, one of ${listed(VERTICALS.map(({ slug }) => `\`${slug}\``))}. Everything that a style names, tiles and fonts, comes from here. Its colours, for a legend of your own, are in its \`metadata\`:`,
          ),
          shell(
            'maps-style',
            `curl '${api}/styles/light.json?vertical=roofing'`,
            json(`{
  "version": 8,
  "name": "Light",
  "sources": {
    "context": { "type": "vector", "url": "${api}/tiles/context.json" },
    "zips": { "type": "vector", "url": "${api}/tiles/zips.json" }
  },
  "glyphs": "${api}/fonts/{fontstack}/{range}.pbf",
  "metadata": {
    "territory:palette": {
      "scores": {
        "breaks": [20, 40, 60, 80],
        "colors": ["#f1f2c9", "#bfe0b0", "#74c1a2", "#2f9494", "#104d68"],
        "noData": "#d7d4ce",
        "opacity": 0.88
      },
      …
    }
  },
  "layers": […],
  …
}`),
          ),
          text(
            'To put your own data between ours, add your layers before `zip-names`: fills stay beneath the labels.',
          ),
        ],
      },
      {
        title: 'Vector tiles',
        blocks: [
          text(
            'Whoever has a style already takes the tiles alone. Each set is described by TileJSON, with its layers and fields:',
          ),
          table(
            'Sets of vector tiles',
            ['TileJSON', 'What it holds'],
            [
              [`[/tiles/context.json](${api}/tiles/context.json)`, 'The basemap'],
              [
                `[/tiles/zips.json](${api}/tiles/zips.json)`,
                'The ZIP codes of the launched metros with the class of their score in each vertical',
              ],
            ],
          ),
          shell(
            'maps-tilejson',
            `curl ${api}/tiles/zips.json`,
            json(
              `{
  "tilejson": "3.0.0",
  "attribution": "Sample data (synthetic; not ACS)",
  "tiles": ["${api}/tiles/zips/{z}/{x}/{y}.mvt"],
  "minzoom": 3,
  "maxzoom": 12,
  "vector_layers": [
    {
      "id": "zips",
      "fields": {
        "zip": "String",
        "roofing": "Number: lower bound of the Roofing score's class, one of 0, 20, 40, 60, 80; none if unknown",
        …
      },
      …
    },
    …
  ],
  …
}`,
            ),
          ),
        ],
      },
      {
        title: 'The basemap as GeoJSON',
        blocks: [
          text(
            '`/map-context` answers the states, counties, water, roads and places of a view, clipped to its box and simplified to half a pixel, with attribution and the palette of each style. Keep its ETag: what has not changed is 304.',
          ),
          shell(
            'maps-context',
            `curl '${api}/map-context?bbox=-97.5,32.5,-96.5,33.1&zoom=10'`,
            json(`{
  "layers": {
    "states": { "type": "FeatureCollection", "features": […] },
    "counties": { "type": "FeatureCollection", "features": […] },
    "water": { "type": "FeatureCollection", "features": […] },
    "roads": { "type": "FeatureCollection", "features": […] },
    "places": { "type": "FeatureCollection", "features": […] }
  },
  "meta": {
    "bounds": [-97.5, 32.5, -96.5, 33.1],
    "zoom": 10,
    "attribution": "…",
    …
  }
}`),
          ),
        ],
      },
      {
        title: 'Pictures',
        blocks: [
          text(
            'The demand of each metro as PNG, drawn once for all who ask, with title, legend and source. It needs no script and works in mails:',
          ),
          shell(
            'maps-picture',
            `curl -o map.png \\
  '${api}/public/metro/dallas-tx/vertical/roofing/map.png?size=1200x630&style=dark'`,
          ),
          table('Parameters of pictures', ['Parameter', 'One of'], pictureChoices),
        ],
      },
      {
        title: 'Shared maps',
        blocks: [
          text(
            `A share link shows a brand’s territory to whoever has it, until it expires (${SHARE_DAYS.default} days unless asked otherwise) or is revoked; then it is 404. Mint one in [your account](/account/shares), by the command line or over MCP, and keep its code:`,
          ),
          shell('maps-share', `export SHARE=${SHARE_PLACEHOLDER}`),
          text('The ZIP codes and their state, and nothing else of the organisation:'),
          shell(
            'maps-boundaries',
            `curl ${api}/shared/$SHARE/boundaries`,
            json(`{
  "type": "FeatureCollection",
  "features": [
    {
      "type": "Feature",
      "geometry": { "type": "MultiPolygon", "coordinates": […] },
      "properties": { "zip": "75038", "status": "live" }
    },
    …
  ],
  …
}`),
          ),
          table(
            'What a share link opens',
            ['Address', 'What it is'],
            [
              ['`/s/{code}`', 'The page, for people'],
              ['`/s/{code}?embed=1`', 'The same for a frame in another page'],
              ['`/shared/{code}/meta`', 'Title, brand and days'],
              ['`/shared/{code}/boundaries`', 'GeoJSON'],
              ['`/shared/{code}/tiles/{z}/{x}/{y}.mvt`', 'The same as vector tiles'],
              ['`/shared/{code}/map.png`', 'A picture, for articles and link previews'],
            ],
          ),
          text('In a page of your own, a frame shows the map and follows the territory:'),
          example({
            id: 'maps-embed',
            language: 'html',
            code: `<iframe
  src="${site}/s/${SHARE_PLACEHOLDER}?embed=1"
  title="Where we work"
  width="100%"
  height="480"
  loading="lazy"
></iframe>`,
          }),
          shell(
            'maps-share-picture',
            `curl -o territory.png "${api}/shared/$SHARE/map.png?size=1200x630"`,
          ),
          list(
            'Frames are allowed for `?embed=1` alone; other pages of this site cannot be framed.',
            'A link of the kind `zip_snapshot` stays as the territory was on the day it was minted.',
          ),
        ],
      },
    ],
  };
};

/** Each parameter with its choices; Markdown */
function choicesOf(op: DocsSource['operations'][number] | undefined): string[][] {
  return describeParameters(op?.query, 'query', {}).map(({ name, schema }) => {
    const { enum: values = [] } = schema as { enum?: string[] };
    return [`\`${String(name)}\``, values.map((value) => `\`${value}\``).join(', ')];
  });
}
