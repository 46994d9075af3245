import { formatCount } from '../../text/words.ts';
import type { Layout } from '../layout.ts';
import { formatEntries } from '../table.ts';

/** Lists the outcome of a change with the ZIP codes of each group. Skips empty groups. */
export function formatZipGroups(
  layout: Layout,
  groups: readonly (readonly [outcome: string, zips: readonly string[]])[],
): string {
  const list = groups
    .filter(([, zips]) => zips.length > 0)
    .map(([outcome, zips]) => ({
      mark: formatCount(zips.length),
      name: outcome,
      note: zips.join(', '),
    }));
  return formatEntries(layout, 'ZIP codes', list);
}
