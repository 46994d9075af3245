/** `territory-admin vintage list | remove` */
import type { Command } from 'commander';
import { ACS_TABLES } from '../../data/ingest/acs-tables.ts';
import { tableYears } from '../../data/ingest/demographics-store.ts';
import { hasRelations } from '../../data/ingest/vintages/relations.ts';
import { comparisonNotes, spanOf } from '../../data/ingest/vintages/spans.ts';
import {
  dropVintages,
  listVintages,
  recordVintages,
  type Vintage,
} from '../../data/ingest/vintages/store.ts';
import type { Database } from '../../base/db/database.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import { formatTable } from '../../doors/cli/table.ts';
import { layoutOf } from '../../doors/cli/layout.ts';
import { bringUpToDate } from '../start/prepare.ts';
import { print, withDatabase } from './command.ts';

interface ListedVintage extends Vintage {
  /** Whether current figures come from it */
  isCurrent: boolean;
}

export function defineVintages(vintages: Command): void {
  vintages
    .command('list')
    .description('list the periods of census figures that are kept')
    .action((options: { json?: boolean }) =>
      withDatabase(async (db) => {
        await bringUpToDate(db);
        const listed = await list(db);
        const report = { vintages: listed, hasRelations: await hasRelations(db) };
        print(options, report, () => listText(listed));
      }),
    );
  vintages
    .command('remove')
    .description('remove a period that isn’t current')
    .argument('<year>', 'last of the five years, such as 2018')
    .action((text: string, options: { json?: boolean }) =>
      withDatabase(async (db) => {
        await bringUpToDate(db);
        const removed = await remove(db, text);
        print(options, removed, ({ year }) => `Removed the figures of ${spanOf(year)}.`);
      }),
    );
}

async function list(db: Database): Promise<ListedVintage[]> {
  const current = new Set((await tableYears(db)).flatMap((years) => Object.values(years)));
  return (await listVintages(db)).map((one) => ({ ...one, isCurrent: current.has(one.year) }));
}

function listText(vintages: readonly ListedVintage[]): string {
  if (vintages.length === 0) {
    return 'No figures are kept with their margins of error. Import some: territory-admin import acs FILE...';
  }
  const table = formatTable(layoutOf(process.stdout), vintages, {
    Period: ({ year }) => spanOf(year),
    Current: 'isCurrent',
    Sample: 'synthetic',
    Tables: ({ tables }) =>
      tables.length === Object.keys(ACS_TABLES).length ? 'all' : tables.join(' '),
  });
  const notes = comparisonNotes(vintages.map(({ year }) => year));
  return [table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}

async function remove(db: Database, text: string): Promise<ListedVintage> {
  if (!/^\d{4}$/.test(text)) {
    throw badRequest(`"${text}" isn’t a year. Give the last of the five years, such as 2018.`);
  }
  const vintages = await list(db);
  const vintage = vintages.find(({ year }) => year === Number(text));
  if (!vintage) {
    const kept = vintages.map(({ year }) => String(year)).join(', ') || 'none';
    throw notFound(`No figures are kept whose last year is ${text}. Kept: ${kept}.`);
  }
  if (vintage.isCurrent) {
    throw conflict(
      `Current figures come from ${spanOf(vintage.year)}. Import another period first: territory-admin import acs FILE...`,
    );
  }
  await db.transaction(async (tx) => {
    await dropVintages(tx, vintage.year);
    await recordVintages(tx);
  });
  return vintage;
}
