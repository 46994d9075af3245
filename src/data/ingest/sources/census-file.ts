/** Names of the Census Bureau's files. */
import { basename } from 'node:path';

/** The parts of a name such as `tl_2023_48113_roads.zip` or `cb_2023_us_county_500k.shp`. */
interface CensusFile {
  /** TIGER/Line or cartographic boundaries */
  product: 'tl' | 'cb';
  year: number;
  /** `us`, or the code of a state (2 digits) or county (5 digits) */
  area: string;
}

/** Returns null for files of other publishers. */
export function parseCensusFile(file: string): CensusFile | null {
  const [, product, year, area] =
    /^(tl|cb)_(\d{4})_(us|\d{5}|\d{2})_/.exec(basename(file).toLowerCase()) ?? [];
  if (!product) return null;
  return { product: product as CensusFile['product'], year: Number(year), area: area! };
}
