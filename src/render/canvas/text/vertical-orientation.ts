/**
 * How characters stand in vertical text, from the property Vertical_Orientation of Unicode (UAX 50):
 * `upright` as in Chinese, `rotated` as in Latin, and `neutral` where it depends on the neighbors.
 */

export type Orientation = 'upright' | 'neutral' | 'rotated';

/** Values U and Tu, except for symbols that Western text uses too; in hexadecimal */
const UPRIGHT = rangesOf(
  '2ea-2eb 1100-11ff 1401-167f 18b0-18ff 2065 20dd-20e0 20e2-20e4 2b97 2bf0-2bff 2e50-2e51 2e80-3007 ' +
    '3012-3013 3020-302f 3031-30fb 30fd-a4cf a960-a97f ac00-d7ff f900-faff fe10-fe1f fe30-fe48 fe50-fe57 ' +
    'fe5f-fe62 fe67-fe6f ff00-ff07 ff0a-ff0c ff0e-ff19 ff1f-ff3a ff3c ff3e ff40-ff5a ffe0-ffe2 ffe4-ffe7 ' +
    'fff0-fff8 10980-1099f 11580-115ff 11a00-11abf 13000-1467f 16fe0-18dff 1aff0-1b2ff 1cec0-1cfcf ' +
    '1d000-1d1ff 1d2e0-1d37f 1d800-1daaf 1f000-1f7ff 1f900-1faff 20000-2fffd 30000-3fffd',
);

const NEUTRAL = rangesOf(
  'a7 a9 ae b1 bc-be d7 f7 2016 2020-2021 2030-2031 203b-203c 2042 2047-2049 2051 2100-218f 221e ' +
    '2234-2235 2300-2307 230c-231f 2324-2328 232b 237d-239a 23be-23cd 23cf 23d1-23db 23e2-2422 2424-24ff ' +
    '25a0-2619 2620-2767 2776-2793 2b12-2b2f 2b50-2b59 2bb8-2beb 3000-303f 30a0-30ff e000-f8ff fe30-fe6f ' +
    'ff00-ffef fffc-fffd f0000-10ffff',
);

export function orientationOf(character: string): Orientation {
  const codePoint = character.codePointAt(0)!;
  if (contains(UPRIGHT, codePoint)) return 'upright';
  return contains(NEUTRAL, codePoint) ? 'neutral' : 'rotated';
}

type Range = readonly [first: number, last: number];

function rangesOf(text: string): Range[] {
  return text.split(' ').map((range) => {
    const [first, last] = range.split('-').map((hex) => Number.parseInt(hex, 16));
    return [first!, last ?? first!];
  });
}

function contains(ranges: readonly Range[], codePoint: number): boolean {
  // Most text is Latin.
  if (codePoint < ranges[0]![0]) return false;
  return ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
