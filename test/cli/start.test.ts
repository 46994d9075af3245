/** Commands load only the code they need, which keeps them fast to start. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compiledModule } from '../../src/paths.ts';
import { testFolder } from '../support/database.ts';

const folder = testFolder();
const hooks = join(folder, 'hooks.mjs');
writeFileSync(
  hooks,
  `export async function load(url, context, next) {
     process._rawDebug(url);
     return next(url, context);
   }`,
);
const register = join(folder, 'register.mjs');
writeFileSync(
  register,
  `import { register } from 'node:module';
   register(${JSON.stringify(`file://${hooks}`)});`,
);

/** @returns the URLs of all modules that the command loads, CommonJS dependencies excepted */
async function loadedModules(command: string, words: string[]): Promise<string[]> {
  const args = ['--import', register, compiledModule(command), ...words];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^Usage: /);
  return stderr.split('\n').filter((url) => url.startsWith('file:'));
}

const HEAVY =
  /node_modules\/(zod|pg|koa|sharp|@electric-sql|@napi-rs|mapshaper)\/|dist\/(agent|db|http|render|territory)\/|dist\/contract\/(?!version)/;

it.each([
  ['cli/territory.ts', ['--help']],
  ['cli/territory.ts', ['health', '--help']],
  ['cli/admin.ts', ['--help']],
])('%s %j loads no schemas, database, or renderer', async (command, words) => {
  const modules = await loadedModules(command, words);
  expect(modules).toContainEqual(expect.stringContaining('/commander/'));
  expect(modules.filter((url) => HEAVY.test(url))).toEqual([]);
});
