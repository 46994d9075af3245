/** `territory-admin demo` */
import type { Command } from 'commander';
import { siteRootOf } from '../../config.ts';
import { DEMO, makeDemo } from '../../territories/demo/demo.ts';
import { conflict } from '../../errors.ts';
import { print } from './command.ts';
import { withAccounts } from './organization.ts';

export const defineDemo = (command: Command) =>
  command.action((options: { json?: boolean }) =>
    withAccounts(async (db, config) => {
      const demo = await makeDemo(db);
      if (!demo) {
        throw conflict(
          'The demo organization already exists. ' +
            `Create another key with: territory-admin key mint --org ${DEMO} --write`,
        );
      }
      const { organization, key, ownerPath } = demo;
      const ownerUrl = siteRootOf(config) + ownerPath;
      print(options, { organization, key, ownerUrl }, () =>
        [
          key,
          '',
          `API key of the organization ${DEMO}, with brands in Dallas and Phoenix. It is shown only`,
          'once: store it now. To sign in as the owner, choose a password at',
          `  ${ownerUrl}`,
        ].join('\n'),
      );
    }),
  );
