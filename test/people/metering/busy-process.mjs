/**
 * Runs metered calls until it is killed, and prints the progress of each: `started NAME` before it
 * reserves units, then `charged NAME` or `written NAME` once they are charged. Every other call writes
 * a row in the transaction that charges it.
 *
 * Arguments: the compiled modules of the database, of tenants, and of units; the organization's id;
 * units per call; number of concurrent calls.
 */
import { setTimeout as delay } from 'node:timers/promises';

const [database, tenants, metering, organization, unitsText, concurrencyText] =
  process.argv.slice(2);
const { openDatabase } = await import(database);
const { tenantOf } = await import(tenants);
const { reserveUnits } = await import(metering);

const concurrency = Number(concurrencyText);
const db = await openDatabase({
  databaseUrl: process.env.DATABASE_URL,
  databasePoolSize: concurrency,
  dataDir: process.env.DATA_DIR,
});
const tenant = tenantOf(db, organization);
let calls = 0;

async function call() {
  const n = ++calls;
  const name = `call-${process.pid}-${n}`;
  process.stdout.write(`started ${name}\n`);
  const reservation = await reserveUnits(
    tenant,
    { monthlyUnits: 1_000_000 },
    'x',
    Number(unitsText),
  );
  await delay(Math.random() * 10);
  if (n % 2 === 0) {
    await reservation.settle();
    process.stdout.write(`charged ${name}\n`);
    return;
  }
  await tenant.transaction(async (tx) => {
    await tx.query(
      `insert into targeting_profiles (organization_id, vertical, weights) values ($1, $2, '{}')`,
      [name],
    );
    await reservation.settle(tx);
  });
  process.stdout.write(`written ${name}\n`);
}

await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (;;) await call();
  }),
);
