/**
 * Has the embedded database plan all SQL that the service and its tests have sent to a PostGIS server:
 * `node check-statements.js LOG`. The log is PostgreSQL's, in JSON, with `log_statement = all`.
 *
 * This finds syntax, functions, types, and columns that the embedded database lacks, in seconds. Statements
 * aren't run with their values, so tests of results that could differ still run on both databases.
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { openDatabase } from '../dist/db/database.js';
import { startEmbeddedDatabase } from '../dist/db/embedded.js';
import { bringUpToDate } from '../dist/prepare.js';

/** A log with fewer is incomplete. */
const MIN_STATEMENTS = 1_000;
/**
 * What one database may lack: feature_not_supported, syntax_error, undefined_function, ambiguous_function,
 * datatype_mismatch, cannot_coerce, indeterminate_datatype, undefined_object (a type or collation), and
 * internal errors of the planner. Other errors come from mixing the tables of all tests in one schema.
 */
const LACKING = new Set([
  ...['0A000', '42601', '42883', '42725', '42804', '42846', '42P18', '42704', 'XX000'],
]);

const isPlanned = (sql) => /^[\s(]*(?:select|insert|update|delete|with|values)\b/i.test(sql);

/** @returns different statements, in the order of their first execution */
async function statementsIn(log) {
  const statements = new Set();
  const refusedByPostgis = new Set();
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const entry = JSON.parse(line);
    if (entry.application_name !== 'territory') continue;
    if (entry.state_code?.startsWith('42')) refusedByPostgis.add(general(entry.statement ?? ''));
    const [, sql] = /^(?:statement|execute [^:]*): (.*)$/s.exec(entry.message) ?? [];
    if (sql) statements.add(general(sql));
  }
  return [...statements].filter((sql) => !refusedByPostgis.has(sql));
}

/** Removes what differs between executions: the trace, and the name of a staging schema. */
const general = (sql) =>
  sql
    .replace(/ \/\*traceparent='[-0-9a-f]+'\*\/$/, '')
    .replace(/\bstaging_\d+_[0-9a-f]{8}\b/g, 'staging_0_00000000')
    .trim();

/** Plans a statement. Others than queries and changes of rows run, and only what they create stays. */
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
await bringUpToDate(db);
// Only the simple protocol plans statements without values for their parameters.
const client = new pg.Client(await startEmbeddedDatabase(dataDir));
await client.connect();
const refused = [];
for (const sql of statements) {
  try {
    await tryStatement(client, sql);
  } catch (error) {
    const { code, message } = error;
    if (LACKING.has(code) && (isPlanned(sql) || code !== '42704'))
      refused.push(`${code} ${message}\n${sql}`);
  }
}
await client.end();
await db.close();
rmSync(dataDir, { recursive: true, force: true });

process.stdout.write(
  `The embedded database lacks something for ${refused.length} of ${statements.length} statements.\n\n${refused.join('\n\n')}\n`,
);
process.exitCode = refused.length > 0 || statements.length < MIN_STATEMENTS ? 1 : 0;
