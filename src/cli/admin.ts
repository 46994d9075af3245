#!/usr/bin/env node
/** `territory-admin`: the operator's command. It works on the database, beside a running service. */
import { Command } from 'commander';
import { addBrandCommands } from './admin/brand.ts';
import { addDatabaseCommands } from './admin/database.ts';
import { addDemoCommand } from './admin/demo.ts';
import { addImportCommands } from './admin/import.ts';
import { addKeyCommands } from './admin/key.ts';
import { addOrganizationCommands } from './admin/org.ts';
import { addPlanCommands } from './admin/plan.ts';
import { addRenderCommand } from './admin/render.ts';
import { addReviewCommands } from './admin/review.ts';
import { addTargetingCommands } from './admin/targeting.ts';
import { addUndoCommand } from './admin/undo.ts';
import { addUserCommands } from './admin/user.ts';

const program = new Command('territory-admin')
  .description(
    'The operator’s command: schema, imports, scores, pictures, organisations. It works on the database that the ' +
      'settings name: DATABASE_URL, or the embedded one in DATA_DIR.',
  )
  .showHelpAfterError()
  .addHelpText('after', '\nExit codes: 0 done, 1 failed and nothing changed or wrong use.');

addDatabaseCommands(program);
addImportCommands(program);
addRenderCommand(program);
addOrganizationCommands(program);
addUserCommands(program);
addBrandCommands(program);
addPlanCommands(program);
addKeyCommands(program);
addReviewCommands(program);
addUndoCommand(program);
addTargetingCommands(program);
addDemoCommand(program);
await program.parseAsync();
