/** Assigns files to the layers of the basemap and describes their features. */
import { basename } from 'node:path';
import { BASEMAP_LAYERS, type BasemapLayer } from '../../basemap/features.ts';
import { ImportError } from '../../../errors.ts';
import {
  naturalEarthZoom,
  number,
  text,
  type Description,
  type SourceFeature,
} from './description.ts';
import { describeLanduse } from './landuse.ts';
import { describeRoad } from './roads.ts';
import { describeWater } from './water.ts';

/** File names of Natural Earth, the Census Bureau, and common road files. */
const LAYER_BY_NAME: [RegExp, BasemapLayer][] = [
  [/lakes|rivers|ocean|water/, 'water'],
  [/arealm|landuse|land_use|parks|protected|_us_mil(\.|$)/, 'landuse'],
  [/populated_places|places|_place(_|\.|$)|cities/, 'places'],
  [/roads|highways|interstates/, 'roads'],
  [/states|_state(_|\.|$)/, 'states'],
  [/count(y|ies)|admin_2/, 'counties'],
];

/** @throws ImportError if the name doesn't identify a layer */
export function layerOf(file: string): BasemapLayer {
  const name = basename(file).toLowerCase();
  const layer = LAYER_BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  if (layer) return layer;
  throw new ImportError(
    `The name ${basename(file)} doesn’t identify the layer. ` +
      `Name it with --layer ${BASEMAP_LAYERS.join('|')}, or omit the file.`,
  );
}

/** The types of geometry in each layer. */
export const GEOMETRY: Readonly<Record<BasemapLayer, RegExp>> = {
  states: /Polygon$/,
  counties: /Polygon$/,
  water: /(Polygon|LineString)$/,
  landuse: /Polygon$/,
  roads: /LineString$/,
  places: /Point$/,
};

type Properties = SourceFeature['properties'];

const matching = (code: string | null | undefined, pattern: RegExp) =>
  code && pattern.test(code) ? code : null;

/** Returns the code of an area, by layer, or null without one. Several features with the same code are its parts. */
export const AREA_CODE: Partial<Record<BasemapLayer, (p: Properties) => string | null>> = {
  states: (p) => matching(text(p.statefp ?? p.geoid ?? p.fips)?.slice(-2), /^\d{2}$/),
  counties: (p) => matching(text(p.geoid ?? p.fips), /^\d{5}$/),
};

/** Returns the facts about a feature that the layer stores, or the reason for rejecting it. */
export const DESCRIBE: Readonly<Record<BasemapLayer, (feature: SourceFeature) => Description>> = {
  states: ({ properties: p }) => {
    const fips = AREA_CODE.states!(p);
    if (fips === null) return 'a state needs a two-digit code (STATEFP or GEOID)';
    return { kind: 'state', name: text(p.name), fips, minZoom: 0, rank: 0 };
  },
  counties: ({ properties: p }) => {
    const fips = AREA_CODE.counties!(p);
    if (fips === null) return 'a county needs a five-digit code (GEOID)';
    return { kind: 'county', name: text(p.name), fips, minZoom: 5, rank: 0 };
  },
  water: describeWater,
  landuse: describeLanduse,
  roads: describeRoad,
  places: ({ properties: p }) => {
    const name = text(p.name);
    if (!name) return 'a place needs a name';
    return {
      kind: /capital/i.test(text(p.featurecla) ?? '') ? 'capital' : 'city',
      name,
      fips: null,
      minZoom: naturalEarthZoom(p.min_zoom, 6),
      // Within a scale rank, larger cities come first.
      rank: (number(p.scalerank) ?? 10) + 1 - Math.log10(1 + (number(p.pop_max) ?? 0)) / 10,
    };
  },
};
