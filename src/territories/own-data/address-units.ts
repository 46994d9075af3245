/** What looking up addresses costs: organizations share the geocoder. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../../people/account/caller.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import { reserveUnits, type Reservation } from '../../people/metering/units.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';

export const ADDRESSES_PER_UNIT = 100;
const RETRY_MS = 1_000;

/** A geocoder that reserves a unit whenever it is asked for the first of another 100 addresses */
interface MeteredGeocoder extends Geocoder {
  /** Charges the units, or adds the charge to a transaction. @throws ServiceError as `Reservation.settle` */
  settle(tx?: TenantTransaction): Promise<void>;
  /** Releases uncharged units. */
  release(): Promise<void>;
}

export function meterAddresses(
  { tenant, subscription }: Pick<Caller, 'tenant' | 'subscription'>,
  geocoder: Geocoder,
): MeteredGeocoder {
  let asked = 0;
  const reservations: Promise<Reservation>[] = [];
  return {
    async find(text) {
      if (asked++ % ADDRESSES_PER_UNIT === 0) {
        reservations.push(reserveUnits(tenant, subscription, 'look_up_addresses', 1));
      }
      await reservations.at(-1);
      // One slow answer among thousands must not end the upload.
      return geocoder.find(text).catch(async () => {
        await delay(RETRY_MS);
        return geocoder.find(text);
      });
    },
    async settle(tx) {
      for (const reservation of reservations) await (await reservation).settle(tx);
    },
    async release() {
      const made = await Promise.allSettled(reservations);
      await Promise.all(made.map((one) => one.status === 'fulfilled' && one.value.release()));
    },
  };
}

/**
 * Runs work that may look up addresses. They are charged if it succeeds. Without a geocoder, it runs without one.
 * @throws ServiceError 402 without units; errors of the work
 */
export async function withMeteredAddresses<T>(
  caller: Pick<Caller, 'tenant' | 'subscription'>,
  geocoder: Geocoder | undefined,
  work: (geocoder: Geocoder | undefined) => Promise<T>,
): Promise<T> {
  const addresses = geocoder && meterAddresses(caller, geocoder);
  try {
    const result = await work(addresses);
    await addresses?.settle();
    return result;
  } catch (error) {
    await addresses?.release();
    throw error;
  }
}
