/** `territory-admin demo` */
import type { Command } from 'commander';
import { siteRootOf } from '../../config.ts';
import { DEMO, makeDemo } from '../../demo/demo.ts';
import { conflict } from '../../errors.ts';
import { jsonOption, print } from './command.ts';
import { withAccounts } from './organization.ts';

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('make the demo organisation: two brands in Dallas and Phoenix, and a key')
    .addOption(jsonOption())
    .action((options: { json?: boolean }) =>
      withAccounts(async (db, config) => {
        const demo = await makeDemo(db);
        if (!demo) {
          throw conflict(
            'The demo organisation is there already. ' +
              `territory-admin key mint --org ${DEMO} --write makes another key.`,
          );
        }
        const { organization, key, ownerPath } = demo;
        const ownerUrl = siteRootOf(config) + ownerPath;
        print(options, { organization, key, ownerUrl }, () =>
          [
            key,
            '',
            `The key of the organisation ${DEMO}, for its two brands in Dallas and Phoenix. It is`,
            'shown this once only: put it where secrets are kept. To see them in a browser as their',
            'owner, choose a password at',
            `  ${ownerUrl}`,
          ].join('\n'),
        );
      }),
    );
}
