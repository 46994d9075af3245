/**
 * Describes areas below the ZIP codes: landmarks and military installations of TIGER, and parks of other
 * sources.
 */
import {
  naturalEarthZoom,
  number,
  text,
  zoomOfArea,
  type Description,
  type SourceFeature,
} from './description.ts';
import { spellOut } from './names.ts';

/** MAF/TIGER feature class codes of landmarks. K2180 to K2190 are parks of different administrations. */
const KINDS: readonly [codes: RegExp, kind: string][] = [
  [/^K21(8\d|90)$/, 'park'],
  [/^K2586$/, 'park'], // zoos
  [/^K2561$/, 'golf'],
  [/^K2582$/, 'cemetery'],
  [/^K245[17]$/, 'airport'],
  [/^K254[03]$/, 'campus'], // universities, colleges, and schools
  [/^K1231$/, 'hospital'],
  [/^K2110$/, 'military'],
];

/** Kinds by words in the attributes or file names of other sources. */
const WORDS: readonly [words: RegExp, kind: string][] = [
  [/golf/, 'golf'],
  [/cemetery/, 'cemetery'],
  [/airport|aerodrome/, 'airport'],
  [/campus|universit|college|school/, 'campus'],
  [/hospital/, 'hospital'],
  [/military|(^|_)mil(_|\.|$)/, 'military'],
  [/park|protected|forest|recreation|reserve/, 'park'],
];

/** Minimum side of a square area that is shown, in pixels */
const VISIBLE_PX = 6;

export function describeLanduse(feature: SourceFeature): Description {
  const { properties: p, file } = feature;
  const code = text(p.mtfcc);
  const kind = code
    ? KINDS.find(([codes]) => codes.test(code))?.[1]
    : WORDS.find(([words]) =>
        words.test([p.kind, p.class, p.type, p.featurecla, file].join(' ').toLowerCase()),
      )?.[1];
  if (!kind) {
    return code
      ? 'landmarks of this class aren’t drawn'
      : 'the kind is unclear; name it in an attribute "kind"';
  }
  const name = text(p.fullname) ?? text(p.name);
  const areaM2 = number(p.aland) || feature.areaM2();
  const minZoom = zoomOfArea(areaM2, VISIBLE_PX);
  return {
    kind,
    name: name && spellOut(name),
    fips: null,
    minZoom: naturalEarthZoom(p.min_zoom, Math.max(4, minZoom)),
    // Large areas come first, so that smaller ones are drawn over them.
    rank: Math.round(10 * minZoom) / 10,
  };
}
