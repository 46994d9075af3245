/** Describes roads: TIGER's by feature class and route, and roads of other sources. */
import { states } from '../../../base/geodata/states.ts';
import { parseCensusFile } from './census-file.ts';
import { naturalEarthZoom, text, type Description, type SourceFeature } from './description.ts';

export function describeRoad(feature: SourceFeature): Description {
  const code = text(feature.properties.mtfcc);
  return code ? describeTigerRoad(code, feature) : describeOtherRoad(feature);
}

interface RoadClass {
  kind: string;
  minZoom: number;
  rank: number;
}

const INTERSTATE: RoadClass = { kind: 'interstate', minZoom: 3, rank: 0 };
const FREEWAY: RoadClass = { kind: 'freeway', minZoom: 5, rank: 1 };
const US_HIGHWAY: RoadClass = { kind: 'highway', minZoom: 6, rank: 2 };
const STATE_HIGHWAY: RoadClass = { kind: 'highway', minZoom: 8, rank: 3 };
const MAIN_ROAD: RoadClass = { kind: 'highway', minZoom: 9, rank: 4 };
const STREET: RoadClass = { kind: 'street', minZoom: 12, rank: 5 };
const RAMP: RoadClass = { kind: 'ramp', minZoom: 11, rank: 5 };
const SERVICE: RoadClass = { kind: 'service', minZoom: 14, rank: 6 };
const PATH: RoadClass = { kind: 'path', minZoom: 14, rank: 7 };

/** MAF/TIGER feature class codes. S1100 and S1200 are divided further by their route. */
const CLASS_OF_CODE: Readonly<Record<string, RoadClass>> = {
  S1100: FREEWAY,
  S1200: MAIN_ROAD,
  S1400: STREET,
  S1500: PATH, // vehicular trails for four-wheel drive
  S1630: RAMP,
  S1640: SERVICE,
  S1710: PATH,
  S1720: PATH, // stairways
  S1730: SERVICE, // alleys
  S1740: SERVICE, // private roads
  S1780: SERVICE, // roads in parking lots
  S1810: PATH, // winter trails
  S1820: PATH, // bike paths
  S1830: PATH, // bridle paths
};

function describeTigerRoad(code: string, { properties: p, file }: SourceFeature): Description {
  const roadClass = CLASS_OF_CODE[code];
  if (!roadClass) return 'roads of this class are internal to the Census Bureau';
  const fullName = text(p.fullname);
  const route = fullName ? routeOf(fullName, file) : null;
  return { ...classOf(code, route, roadClass), name: route?.name ?? fullName, fips: null };
}

/** Business loops of interstates and the like have different shields, and traffic lights. */
function classOf(code: string, route: Route | null, otherwise: RoadClass): RoadClass {
  if (code === 'S1100') return route?.network === 'I' && route.isMain ? INTERSTATE : FREEWAY;
  if (code !== 'S1200') return otherwise;
  if (route?.network === 'I' || route?.network === 'US') return US_HIGHWAY;
  return route ? STATE_HIGHWAY : MAIN_ROAD;
}

interface Route {
  /** `I`, `US`, or the state's USPS code */
  network: string;
  /** Whether it isn't a business loop, bypass, or spur */
  isMain: boolean;
  /** `I 35`, `US 101`, `TX 121`; `US 95 Alt`, `I-80 Bus` */
  name: string;
}

const ROUTES: readonly [RegExp, network: string][] = [
  [/^I-\s*(\d+[A-Z]?)\b(.*)$/, 'I'],
  [/^US (?:Hwy|Rte|Route) (\d+[A-Z]?)\b(.*)$/, 'US'],
  [/^State (?:Hwy|Rte|Route|Rd) (\d+[A-Z]?)\b(.*)$/, 'state'],
];

/** Reads names such as `I- 35 E`, `US Hwy 95 Alt`, and `State Rte 121`; null without a number. */
function routeOf(fullName: string, file: string): Route | null {
  for (const [pattern, kind] of ROUTES) {
    const [, number, rest] = pattern.exec(fullName) ?? [];
    if (number === undefined) continue;
    const network = kind === 'state' ? stateOf(file) : kind;
    // Shields don't show directions. Other suffixes, such as "Alt", name a different route.
    const variant = rest!.replace(/\s+([NSEW]|[NS][EW])$/, '').trim();
    if (variant === '') return { network, isMain: true, name: `${network} ${number}` };
    // The interstate shield is only for the main route.
    const joint = kind === 'I' ? '-' : ' ';
    return { network, isMain: false, name: `${network}${joint}${number} ${variant}` };
  }
  return null;
}

/** The USPS code of the state in the file's name, or `SR`, as on road signs. */
function stateOf(file: string): string {
  const fips = parseCensusFile(file)?.area.slice(0, 2);
  return states().find((state) => state.fips === fips)?.usps ?? 'SR';
}

function describeOtherRoad({ properties: p, file }: SourceFeature): Description {
  const interstate = /interstate/i.test(`${text(p.kind) ?? ''} ${text(p.class) ?? ''} ${file}`);
  return {
    kind: interstate ? 'interstate' : 'highway',
    name: text(p.name ?? p.ref ?? p.fullname),
    fips: null,
    minZoom: naturalEarthZoom(p.min_zoom, interstate ? 3 : 6),
    rank: interstate ? 0 : 1,
  };
}
