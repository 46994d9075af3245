#!/usr/bin/env node
/** `territory-admin`: the operator's command. It works on the database, beside a running service. */
import { Command } from 'commander';
import { addDatabaseCommands } from './admin/database.ts';
import { addImportCommands } from './admin/import.ts';
import { addRenderCommand } from './admin/render.ts';

const program = new Command('territory-admin')
  .description(
    'The operator’s command: schema, imports, scores, pictures. It works on the database that the ' +
      'settings name: DATABASE_URL, or the embedded one in DATA_DIR.',
  )
  .showHelpAfterError()
  .addHelpText('after', '\nExit codes: 0 done, 1 failed and nothing changed or wrong use.');

addDatabaseCommands(program);
addImportCommands(program);
addRenderCommand(program);
await program.parseAsync();
