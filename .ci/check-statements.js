/**
 * Has the embedded database plan all SQL that the service and its tests have sent to a PostGIS server:
 * `node check-statements.js LOG`. The log is PostgreSQL's, in JSON, with `log_statement = all`.
 *
 * This finds syntax, functions, types, and collations that the embedded database lacks, in seconds. Missing
 * tables and columns aren't reported, and functions don't run, so tests of results that could differ still run
 * on both databases.
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { openDatabase } from '../dist/base/db/database.js';
import { startEmbeddedDatabase } from '../dist/base/db/embedded.js';
import { bringUpToDate } from '../dist/run/start/prepare.js';

/** With fewer accepted statements, the log is incomplete or the check is broken. */
const MIN_ACCEPTED = 1_000;
/** What one database may lack. Other errors come from mixing the tables of all tests in one schema. */
const LACKING = {
  '0A000': 'feature_not_supported',
  42601: 'syntax_error',
  42883: 'undefined_function',
  42725: 'ambiguous_function',
  42804: 'datatype_mismatch',
  42846: 'cannot_coerce',
  '42P18': 'indeterminate_datatype',
  42704: 'undefined_object, such as a type or collation',
  XX000: 'internal_error of the planner',
};

const isPlanned = (sql) => /^[\s(]*(?:select|insert|update|delete|with|values)\b/i.test(sql);

/** @returns different statements, in the order of their first execution */
async function statementsIn(log) {
  const statements = new Set();
  const refusedByPostgis = new Set();
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const entry = JSON.parse(line);
    if (entry.application_name !== 'territory') continue;
    if (entry.state_code in LACKING) refusedByPostgis.add(general(entry.statement ?? ''));
    const [, sql] = /^(?:statement|execute [^:]*): (.*)$/s.exec(entry.message) ?? [];
    if (sql) statements.add(general(sql));
  }
  return [...statements].filter((sql) => !refusedByPostgis.has(sql));
}

/** Removes comments at the start, and what differs between executions: the trace, and the name of a staging schema. */
const general = (sql) =>
  sql
    .replace(/^(?:\s*--.*\n)+/, '')
    .replace(/ \/\*traceparent='[-0-9a-f]+'\*\/$/, '')
    .replace(/\bstaging_\d+_[0-9a-f]{8}\b/g, 'staging_0_00000000')
    .trim();

/**
 * Plans a query or a change of rows. Runs any other statement and rolls it back, unless it creates something that
 * later statements need.
 */
async function tryStatement(client, sql) {
  if (/^(?:begin|commit|rollback)$/.test(sql)) return;
  if (/^create /i.test(sql)) return void (await client.query(sql));
  try {
    await client.query(
      `begin; ${isPlanned(sql) ? 'explain (generic_plan) ' : ''}${sql}\n; rollback`,
    );
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

const statements = await statementsIn(process.argv[2]);
const dataDir = mkdtempSync(join(tmpdir(), 'territory-statements-'));
const db = await openDatabase({ databaseUrl: undefined, databasePoolSize: 1, dataDir });
// Only the simple protocol plans statements without values for their parameters.
const client = new pg.Client(await startEmbeddedDatabase(dataDir));
// A lost connection fails the next statement.
client.on('error', () => {});
const refused = [];
let accepted = 0;
try {
  await bringUpToDate(db);
  await client.connect();
  for (const sql of statements) {
    try {
      await tryStatement(client, sql);
      accepted++;
    } catch ({ code, message }) {
      // Errors without a code come from the connection. What an unplanned statement names may be another test's.
      const lacks = code === undefined || (code in LACKING && (isPlanned(sql) || code !== '42704'));
      if (lacks) refused.push(`${LACKING[code] ?? 'no answer'}: ${message}\n${sql}`);
    }
  }
} finally {
  await client.end().catch(() => {});
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
}

process.stdout.write(
  `The embedded database accepts ${accepted} of ${statements.length} statements, and lacks something for ${refused.length}.\n`,
);
if (accepted < MIN_ACCEPTED) process.stdout.write(`At least ${MIN_ACCEPTED} were expected.\n`);
for (const one of refused) process.stdout.write(`\n${one}\n`);
process.exitCode = refused.length > 0 || accepted < MIN_ACCEPTED ? 1 : 0;
