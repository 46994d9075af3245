/** A thread that fits the coast of stored layers. `run/start/preparation.ts` starts it. */
import { workerData } from 'node:worker_threads';
import { openDatabase, type DatabaseSettings } from '../../../base/db/database.ts';
import { storeBasemap } from '../basemap-store.ts';
import { silent } from '../progress.ts';

const db = await openDatabase(workerData as DatabaseSettings);
try {
  await storeBasemap(db, [], { dryRun: false, progress: silent });
} finally {
  await db.close();
}
