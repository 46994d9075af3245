/** The text that a start prints when the service is ready. */
import type { Logger } from 'pino';
import { siteRootOf, type Config } from '../../config.ts';
import type { Database } from '../../base/db/database.ts';
import { DEMO, ownerSignIn, type Demo } from '../../territories/demo/demo.ts';
import { isEmpty } from './prepare.ts';
import type { Prepared } from './preparation.ts';

/**
 * Prints the address and what to try next. If the database fails at that moment, prints only the address.
 */
export async function welcome(
  db: Database,
  config: Config,
  port: number,
  prepared: Prepared,
  log: Logger,
): Promise<void> {
  const site = siteRootOf(config, port);
  const root = site + config.basePath;
  const lines = [`Territory Intelligence is at ${root}`, ''];
  try {
    lines.push(...(await nextSteps(db, site, root, prepared)), '');
  } catch (error) {
    log.warn({ err: error }, 'the database failed after the start; what to try next is not shown');
  }
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

async function nextSteps(
  db: Database,
  site: string,
  root: string,
  { demo, made }: Prepared,
): Promise<string[]> {
  const next = (await isEmpty(db))
    ? [
        'The database is empty. Import data:',
        '  npx territory-admin import zcta FILE.zip',
        '  npx territory-admin import acs FILE.json',
        '  npx territory-admin import basemap FILE.geojson',
      ]
    : [
        'Try next:',
        `  curl '${root}/map-context?bbox=-97.5,32.5,-96.5,33.1&zoom=10'`,
        '  npx territory-admin render --metro dallas-tx --vertical roofing -o map.png',
        '  npx territory-admin import --help',
      ];
  if (made) next.push('', ...firstStartLines(root, site, made));
  else if (demo) next.push('', ...(await laterStartLines(db, site)));
  return next;
}

const MINT_KEY = `npx territory-admin key mint --org ${DEMO} --write`;

function firstStartLines(root: string, site: string, { key, ownerPath }: Demo): string[] {
  return [
    `The demo organization has two brands, in Dallas and Phoenix. To see them in a browser, choose a`,
    'password for its owner at',
    `  ${site}${ownerPath}`,
    '',
    'Its API key, shown only now:',
    `  ${key}`,
    '',
    `Agents use it at ${root}/mcp. Programs use it like this:`,
    `  curl ${root}/agent/territory-plan -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' -d '{"metro":"dallas-tx","vertical":"roofing"}'`,
    '',
    'Create another key:',
    `  ${MINT_KEY}`,
  ];
}

async function laterStartLines(db: Database, site: string): Promise<string[]> {
  const owner = await ownerSignIn(db);
  const signIn =
    owner === null
      ? []
      : owner.passwordPath === null
        ? [
            `Sign in to the demo organization as ${owner.email} at`,
            `  ${site}/login`,
            '',
            'Forgot the password? Create a link to choose a new one:',
            `  npx territory-admin user password --email ${owner.email}`,
            '',
          ]
        : [
            'To see the demo organization in a browser, choose a password for its owner at',
            `  ${site}${owner.passwordPath}`,
            '',
          ];
  return [...signIn, 'Create an API key for the demo organization:', `  ${MINT_KEY}`];
}
