/** `territory-admin doctor`: checks the requirements of the service, without changing anything. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../../config.ts';
import { openDatabase, type Database } from '../../../base/db/database.ts';
import { pluralize } from '../../../base/text/words.ts';
import { layoutOf, type Layout } from '../../../doors/cli/layout.ts';
import { formatEntries } from '../../../doors/cli/table.ts';
import { print, withConfig } from '../command.ts';
import { checkDatasets, checkFit } from './data.ts';
import { checkConnection, checkMigrations, checkPostgis, checkRights } from './database.ts';
import { examine, skipped, type NamedResult, type Status } from './check-result.ts';
import {
  checkAddress,
  checkDisk,
  checkEngine,
  checkFonts,
  checkMemory,
  checkNode,
} from './machine.ts';
import { checkReplica } from './replica.ts';
import { checkGeocoder, checkRedis, checkRouting, checkSecrets, checkSmtp } from './services.ts';
import { checkStreets } from './streets.ts';

interface Flags {
  json?: boolean;
  strict?: boolean;
}

export const defineDoctor = (command: Command) =>
  command
    .option('--strict', 'also fail on warnings')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing failed, 1 a check failed or, with --strict, warned.',
    )
    .action((flags: Flags) =>
      withConfig(async (config) => {
        const findings = await examineAll(config);
        const passed = !findings.some(
          ({ status }) => status === 'failed' || (flags.strict && status === 'warning'),
        );
        print(flags, { passed, findings }, () => reportText(layoutOf(process.stdout), findings));
        if (!passed) process.exitCode = 1;
      }),
    );

async function examineAll(config: Config): Promise<NamedResult[]> {
  return [
    await examine('Node', checkNode),
    await examine('Address', () => checkAddress(config)),
    await examine('Memory', () => checkMemory(config)),
    await examine('Disk', () => checkDisk(config)),
    ...(await examineDatabase(config)),
    await examine('Redis', () => checkRedis(config)),
    await examine('Email', () => checkSmtp(config)),
    await examine('Fonts', checkFonts),
    await examine('Rendering', () => checkEngine(config)),
  ];
}

/** Checks the database. If it can't be reached, skips further checks, which would fail for the same reason. */
async function examineDatabase(config: Config): Promise<NamedResult[]> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    const detail = `There is no embedded database in ${dataDir} yet. The first start creates it`;
    return [{ check: 'Database', ...skipped(detail) }];
  }
  let db: Database;
  try {
    db = await openDatabase({ ...config, databasePoolSize: 2 });
  } catch (error) {
    return [await examine('Database', () => Promise.reject(error as Error))];
  }
  try {
    const connection = await examine('Database', () => checkConnection(db, config));
    if (connection.status === 'failed') return [connection];
    return [
      connection,
      await examine('Rights', () => checkRights(db)),
      await examine('PostGIS', () => checkPostgis(db)),
      await examine('Migrations', () => checkMigrations(db)),
      await examine('Data', () => checkDatasets(db)),
      await examine('Vintages', () => checkFit(db)),
      await examine('Streets', () => checkStreets(db, config)),
      await examine('Replica', () => checkReplica(db, config)),
      await examine('Drive times', () => checkRouting(db, config)),
      await examine('Addresses', () => checkGeocoder(db, config)),
      await examine('Secrets', () => checkSecrets(db, config)),
    ];
  } finally {
    await db.close();
  }
}

const MARKS: Record<Status, string> = { ok: 'ok', warning: 'warn', failed: 'FAIL', skipped: '-' };
const COLORS = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' } as const;

function reportText(layout: Layout, findings: readonly NamedResult[]): string {
  const count = (wanted: Status) => findings.filter(({ status }) => status === wanted).length;
  const entries = findings.map(({ check, status, detail, fix }) => ({
    mark: layout.paint(COLORS[status], MARKS[status]),
    name: check,
    note: [detail, fix].filter(Boolean).join('. '),
  }));
  const warnings = pluralize(count('warning'), 'warning');
  const summary =
    count('failed') > 0
      ? `${count('failed')} failed, ${warnings}.`
      : count('warning') > 0
        ? `Nothing failed, ${warnings}.`
        : 'Everything is in order.';
  return `${formatEntries(layout, 'Check', entries)}\n\n${summary}`;
}
