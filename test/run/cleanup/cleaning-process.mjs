/**
 * Deletes expired rows until it is killed, and prints its log. Arguments: the compiled modules of the
 * database, of the cleaner, and of the log; the length of a lease in milliseconds.
 */
const [database, cleaner, log, leaseMs] = process.argv.slice(2);
const { openDatabase } = await import(database);
const { startCleaner } = await import(cleaner);
const { createLog } = await import(log);

const db = await openDatabase({
  databaseUrl: process.env.DATABASE_URL,
  databasePoolSize: 2,
  dataDir: process.env.DATA_DIR,
});
startCleaner({ db, log: createLog('info') }, { everyMs: 50, leaseMs: Number(leaseMs), pauseMs: 1 });
process.stdout.write('started\n');
