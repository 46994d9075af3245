/** Groups of ZIPs, each with what became, or would become, of it. */
import { count } from '../figures.ts';
import type { Paper } from '../paper.ts';
import { entries } from '../table.ts';

/** Groups without ZIPs are left out. */
export function zipGroups(
  paper: Paper,
  groups: readonly (readonly [what: string, zips: readonly string[]])[],
): string {
  const list = groups
    .filter(([, zips]) => zips.length > 0)
    .map(([what, zips]) => ({ mark: count(zips.length), name: what, note: zips.join(', ') }));
  return entries(paper, 'ZIPs', list);
}
