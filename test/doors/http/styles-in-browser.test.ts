/** Renders the served styles with MapLibre GL in a browser, against the running service. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scoreLegend } from '../../../src/maps/cartography/furniture/legends.ts';
import { STYLE_NAMES } from '../../../src/data/basemap/styles.ts';
import { testDatabase } from '../../support/database.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';
import { startService, type RunningService } from '../../support/processes.ts';

const { env } = await testDatabase('sample');

let service: RunningService;
let reference: Reference;
beforeAll(async () => {
  service = await startService(env);
  // One for all styles: they share tiles and shaders.
  if (hasChromium) reference = await openReference();
});
afterAll(async () => {
  await reference?.close();
  await service.stop();
});

const VIEWS = [
  {
    name: 'a metro',
    center: [-96.9, 32.8] as [number, number],
    zoom: 8.7,
    labels: ['zip-names', 'road-shields', 'metropolises'],
    colored: 0.5,
  },
  {
    name: 'a state',
    center: [-99.2, 31.4] as [number, number],
    zoom: 5.4,
    labels: ['state-names', 'cities', 'metropolises'],
    colored: 0.01,
  },
  {
    name: 'the country',
    center: [-96.5, 38.5] as [number, number],
    zoom: 3.6,
    labels: ['state-names', 'metropolises'],
    colored: 0.001,
  },
];

describe.skipIf(!hasChromium).each(STYLE_NAMES)('the style %s in maplibre-gl', (name) => {
  let style: StyleSpecification;
  beforeAll(async () => {
    style = (await (await fetch(`${service.url}/styles/${name}.json`)).json()) as typeof style;
  });

  it.each(VIEWS)('renders $name without errors', async ({ labels, colored, ...view }) => {
    const draw = () => reference.draw({ style, width: 1200, height: 800, ...view });
    let picture = await draw();
    // On a busy machine, the first tiles of the country may take too long.
    const isBusy = () => picture.errors.some((error) => error.includes('(503)'));
    while (isBusy()) picture = await draw();
    expect(picture.errors).toEqual([]);
    const placed = new Set(picture.labels.map(({ layer }) => layer));
    expect([...placed]).toEqual(expect.arrayContaining(labels));
    expect(await scoreColoredShare(picture.png, style)).toBeGreaterThan(colored);
  });

  it('names each lake and each state once', async () => {
    const { labels } = await reference.draw({
      style,
      width: 1200,
      height: 800,
      center: [-86, 43.5],
      zoom: 6.2,
    });
    const named = (layer: string) =>
      labels.filter((label) => label.layer === layer).map(({ properties }) => properties['name']);
    expect(named('lake-names').sort()).toEqual(['Lake Erie', 'Lake Huron', 'Lake Michigan']);
    expect(new Set(named('state-names')).size).toBe(named('state-names').length);
  });
});

/** Returns the share of pixels that have a color of the legend. */
async function scoreColoredShare(png: Buffer, style: StyleSpecification): Promise<number> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const classes = scoreLegend(style, '')!.classes.map(({ color }) =>
    color.match(/\d+/g)!.map(Number),
  );
  const pixels = info.width * info.height;
  let colored = 0;
  for (let i = 0; i < 3 * pixels; i += 3) {
    if (classes.some((color) => color.every((value, at) => Math.abs(data[i + at]! - value) <= 2))) {
      colored++;
    }
  }
  return colored / pixels;
}
