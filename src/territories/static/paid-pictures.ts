/** The price of private pictures. Drawing one for the first time costs as much as a render, and repeats are free. */
import type { Caller } from '../../people/account/caller.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { reserveUnits } from '../../people/metering/units.ts';

/** Units of drawing a picture for the first time, and of the tool that draws it */
export const PICTURE_UNITS = 5;

/** After this many days, drawing a picture again is charged again. */
export const PAID_DAYS = 30;

/** Name in the usage records, which list tools */
const METERED_AS = 'static_picture';

const PAID_SINCE = `now() - interval '${PAID_DAYS} days'`;

export const OLD_PICTURES = expiring({
  table: 'paid_pictures',
  column: 'paid_at',
  before: PAID_SINCE,
});

/**
 * Draws a picture, and charges it unless the organization has already paid for it. If the same picture is
 * drawn several times concurrently, it is charged once.
 * @param picture SHA-256 of its whole content except imported data
 * @throws ServiceError 402 `usage_quota_exceeded`; 503 if usage can't be recorded; errors of `draw`,
 *   which cost nothing
 */
export async function drawPaid<T>(
  { tenant, subscription }: Pick<Caller, 'tenant' | 'subscription'>,
  picture: Buffer,
  draw: () => Promise<T>,
): Promise<T> {
  const paid = await tenant.query(
    `select from paid_pictures
     where organization_id = $1 and picture = $2 and paid_at >= ${PAID_SINCE}`,
    [picture],
  );
  if (paid.length > 0) return draw();
  const reservation = await reserveUnits(tenant, subscription, METERED_AS, PICTURE_UNITS);
  try {
    const drawn = await draw();
    const isFirst = await tenant.transaction(async (tx) => {
      const rows = await tx.query(
        `insert into paid_pictures as known (organization_id, picture) values ($1, $2)
         on conflict (organization_id, picture) do update set paid_at = now()
           where known.paid_at < ${PAID_SINCE}
         returning picture`,
        [picture],
      );
      if (rows.length > 0) await reservation.settle(tx);
      return rows.length > 0;
    });
    if (!isFirst) await reservation.release();
    return drawn;
  } catch (error) {
    await reservation.release();
    throw error;
  }
}
