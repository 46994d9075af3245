/**
 * Records the ZIP codes whose figures an organization saw, or exported, in a month. Each month and use is one row
 * with a bit for each five-digit number, so a call with 5,000 ZIP codes takes about as long as one with five.
 */
import type { Tenant } from '../account/tenant.ts';
import { expiring } from '../../base/db/expiring-rows.ts';

type ZipUse = 'seen' | 'exported';

/** Ledgers of past months, kept for another day because calls that began before midnight may still read them */
export const PAST_LEDGERS = expiring({
  table: 'zip_ledger',
  column: 'month',
  before: `date_trunc('month', now() at time zone 'utc' - interval '1 day')`,
  batch: 100, // of up to 12.5 kB
});

export interface Ledger {
  use: ZipUse;
  /** First day of the month, `YYYY-MM-DD` */
  month: string;
}

interface LedgerCounts {
  /** Number of ZIP codes in the ledger */
  used: number;
  /** Number of the given ZIP codes that weren't in the ledger */
  added: number;
}

/** Counts ZIP codes without adding them. @param zips five digits each; duplicates count once */
export async function countZips(
  tenant: Tenant,
  { use, month }: Ledger,
  zips: Iterable<string> = [],
): Promise<LedgerCounts> {
  const [row] = await tenant.query<LedgerCounts>(
    `select used, bit_count(coalesce(ledger.zips | given.zips, given.zips)) - used as added
     from (select $4::bit(${CODES}) as zips) as given
     left join zip_ledger as ledger on organization_id = $1 and month = $2 and use = $3
     cross join lateral (select coalesce(bit_count(ledger.zips), 0) as used) as counts`,
    [month, use, bitsOf(zips)],
  );
  return row!;
}

interface AddConditions {
  /** Largest number of ZIP codes in the ledger afterwards. Default: no limit */
  limit?: number;
  /** Required number of ZIP codes that aren't in the ledger yet. Default: any */
  added?: number;
}

/**
 * Adds all ZIP codes or none. One statement checks the conditions and adds, so a concurrent call waits until the
 * transaction ends and sees its result.
 * @returns false if a condition isn't met
 */
export async function addZips(
  tx: Tenant,
  { use, month }: Ledger,
  zips: Iterable<string>,
  { limit, added }: AddConditions,
): Promise<boolean> {
  // The conditions of the insert only exclude impossible cases. If some of the given ZIP codes aren't new, the row
  // exists, and the conditions of the update decide.
  const rows = await tx.query(
    `with given as (
       select $4::bit(${CODES}) as zips
     )
     insert into zip_ledger as ledger (organization_id, month, use, zips)
     select $1, $2, $3, zips from given
     where bit_count(zips) <= $5 and ($6::int is null or bit_count(zips) >= $6)
     on conflict (organization_id, month, use) do update set zips = ledger.zips | excluded.zips
       where bit_count(ledger.zips | excluded.zips) <= $5
         and ($6 is null or bit_count(ledger.zips | excluded.zips) - bit_count(ledger.zips) = $6)
     returning month`,
    [month, use, bitsOf(zips), limit ?? CODES, added],
  );
  return rows.length > 0;
}

/** Number of five-digit numbers */
const CODES = 100_000;

/** Returns a bit string in hexadecimal, `x` and 25,000 digits, which is a quarter as long as in binary. */
function bitsOf(zips: Iterable<string>): string {
  const bytes = Buffer.alloc(CODES / 8);
  for (const zip of zips) {
    const bit = Number(zip);
    bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  }
  return `x${bytes.toString('hex')}`;
}
