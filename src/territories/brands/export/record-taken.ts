/** Records that figures and boundaries left the service as a file. */
import { recordActivity, type Action } from '../../../people/account/activity.ts';
import { momentWords } from '../../../people/account/days/as-of.ts';
import type { Caller } from '../../../people/account/caller.ts';
import { pluralize } from '../../../base/text/words.ts';
import type { Brand } from '../brands.ts';

/**
 * @param what "Made an exhibit of Lone Star"
 * @param zips ZIP codes in the file
 * @param brand null for a file that belongs to no brand
 */
export async function recordTaken(
  { tenant, actor }: Pick<Caller, 'tenant' | 'actor'>,
  action: Extract<
    Action,
    'territory_exported' | 'exhibit_made' | 'plan_exported' | 'data_exported'
  >,
  what: string,
  zips: readonly string[],
  brand: Brand | null,
): Promise<void> {
  const past = await momentWords(tenant);
  const asOf = past ? ` as of ${past.words}` : '';
  await tenant.transaction(async (tx) => {
    recordActivity(tx, {
      actor,
      action,
      brandId: brand?.id ?? null,
      summary: `${what}${asOf}, with ${pluralize(zips.length, 'ZIP code')}.`,
      zips,
      before: {},
      after: {},
    });
  });
}
