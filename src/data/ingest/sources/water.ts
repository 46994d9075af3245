/** Describes water: TIGER's area and linear water by feature class, and Natural Earth's files. */
import {
  naturalEarthZoom,
  number,
  text,
  zoomOfArea,
  type Description,
  type SourceFeature,
} from './description.ts';
import { spellOut } from './names.ts';

export function describeWater(feature: SourceFeature): Description {
  const code = text(feature.properties.mtfcc);
  return code ? describeTigerWater(code, feature) : describeOtherWater(feature);
}

/** MAF/TIGER feature class codes of water. Canals and ditches count as rivers. */
const KIND_OF_CODE: Readonly<Record<string, 'ocean' | 'lake' | 'river'>> = {
  H2030: 'lake',
  H2040: 'lake', // reservoirs
  H2041: 'lake', // treatment ponds
  H2051: 'ocean', // bays, estuaries, and sounds; small ones are mostly those of lakes
  H2053: 'ocean',
  H2060: 'lake', // flooded quarries, until 2009
  H3010: 'river',
  H3013: 'river', // braided streams
  H3020: 'river', // canals, ditches, and aqueducts
};

/** Smaller bays are drawn like lakes, over the land of states. Bays of lakes belong to that land. */
const MIN_SEA_BAY_M2 = 20e6;

/** Minimum side of a square area of water that is shown, in pixels */
const VISIBLE_PX = 4;

function describeTigerWater(code: string, feature: SourceFeature): Description {
  const { properties, isLine } = feature;
  const kind = KIND_OF_CODE[code];
  if (!kind) return 'marshes, glaciers, and connections between waters aren’t drawn';
  // Lines through areas of water that connect the rivers on both sides.
  if (['C', 'Y'].includes(text(properties.artpath)?.toUpperCase() ?? '')) {
    return 'the path of a river through an area of water isn’t drawn';
  }
  const fullName = text(properties.fullname);
  const name = fullName && spellOut(fullName);
  if (isLine) {
    const isRiver = /\b(River|Río|Rio)\b/.test(name ?? '');
    return {
      kind,
      name,
      fips: null,
      minZoom: isRiver ? 8 : name ? 11 : 13,
      rank: isRiver ? 7 : name ? 8 : 9,
    };
  }
  const areaM2 = number(properties.awater) || feature.areaM2();
  const isLakeside = code === 'H2051' && areaM2 < MIN_SEA_BAY_M2;
  return {
    kind: isLakeside ? 'lake' : kind,
    name,
    fips: null,
    minZoom: zoomOfArea(areaM2, VISIBLE_PX),
    rank: scaleRank(areaM2),
  };
}

/** Natural Earth's scale: about 0 for a great lake of 50,000 km², 10 for a pond of a hectare. */
const scaleRank = (areaM2: number) =>
  Math.min(10, Math.max(0, 1.5 * (10.7 - Math.log10(Math.max(areaM2, 1)))));

function describeOtherWater({ properties: p, file, isLine }: SourceFeature): Description {
  const featurecla = text(p.featurecla)?.toLowerCase() ?? file;
  // Natural Earth's "Lake Centerline" is a river that passes through a lake.
  const isRiver = isLine || /river/.test(featurecla);
  const kind = /ocean/.test(featurecla) ? 'ocean' : isRiver ? 'river' : 'lake';
  return {
    kind,
    name: text(p.name),
    fips: null,
    minZoom: naturalEarthZoom(p.min_zoom, kind === 'ocean' ? 0 : 5),
    rank: number(p.scalerank) ?? 5,
  };
}
