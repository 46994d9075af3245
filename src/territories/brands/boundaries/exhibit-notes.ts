/** What an exhibit says about its boundaries. */
import {
  boundaryVintageAt,
  zipsChangedSince,
} from '../../../data/ingest/boundary-changes/store.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { joinFirst, pluralize } from '../../../base/text/words.ts';

/**
 * Returns notes for an exhibit as of the tenant's moment.
 * @param isFixed whether the territory is that of the boundaries of the day, whatever later changes
 */
export async function boundaryNotesFor(
  tenant: Tenant,
  zips: readonly string[],
  isFixed: boolean,
): Promise<string[]> {
  const { common, moment } = tenant;
  const vintage = await boundaryVintageAt(common, moment ?? new Date());
  const changed = moment === null ? [] : await zipsChangedSince(common, moment, zips);
  return [
    ...(isFixed && vintage !== null
      ? [
          `The area of the territory is that of its ZIP codes as of ${vintage}, whatever later changes.`,
        ]
      : []),
    ...(changed.length > 0
      ? [
          `The boundaries of that day were ${vintage}. The area of ${pluralize(changed.length, 'ZIP code')} ` +
            `changed since, and the maps show the present one: ${joinFirst(changed)}.`,
        ]
      : []),
  ];
}
