/** Makes due changes live until it is killed. Argument: the compiled modules as JSON, by name. */
const named = JSON.parse(process.argv[2]);
const { openDatabase } = await import(named.database);
const { createLog } = await import(named.log);
const { startScheduler } = await import(named.scheduler);

const db = await openDatabase({
  databaseUrl: process.env.DATABASE_URL,
  databasePoolSize: 2,
  dataDir: process.env.DATA_DIR,
});
startScheduler({ db, log: createLog('error') }, { pollMs: 10, leaseSeconds: 1 });
process.stdout.write('started\n');
