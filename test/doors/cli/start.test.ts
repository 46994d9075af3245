/** Commands load only the code they need, which keeps them fast to start. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';
import { testFolder } from '../../support/database.ts';
import { fakeService, scripted } from './territory.ts';

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

/**
 * @param printed on standard output
 * @returns the URLs of the sources of all modules that the command loads, except CommonJS modules outside of bundles
 */
async function loadedModules(
  command: string,
  words: string[],
  printed: RegExp,
  env: Record<string, string> = {},
): Promise<string[]> {
  const args = ['--import', register, compiledModule(command), ...words];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
  });
  expect(stdout).toMatch(printed);
  return stderr
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .flatMap(sourcesOf);
}

/** A bundle contains many modules. Its source map lists them. */
function sourcesOf(url: string): string[] {
  const map = fileURLToPath(`${url}.map`);
  if (url.includes('/node_modules/') || !existsSync(map)) return [url];
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
  return sources.map((source) => new URL(source, url).href);
}

// Names of formats, counts of pictures, and words for measures, amounts, and outcomes are plain facts.
const SCHEMAS =
  /node_modules\/zod\/|src\/doors\/(http|tools)\/|src\/base\/contract\/(?!version|export-formats|zip-counts)/;
const HEAVY =
  /node_modules\/(pg|koa|sharp|@electric-sql|@napi-rs|mapshaper)\/|src\/(base\/db|render|people|maps)\/|src\/territories\/(?!brands\/measures|own-data\/(amount-text|outcome-words)|share\/token)/;

it.each([
  ['doors/cli/territory.ts', ['--help']],
  ['doors/cli/territory.ts', ['health', '--help']],
  ['run/admin.ts', ['--help']],
])('%s %j loads no schemas, database, or renderer', async (command, words) => {
  const modules = await loadedModules(command, words, /^Usage: /);
  expect(modules).toContainEqual(expect.stringContaining('/commander/'));
  expect(modules.filter((url) => SCHEMAS.test(url) || HEAVY.test(url))).toEqual([]);
});

it.each([
  ['a picture', 'map dallas-tx roofing', 'image/png', /^{}$/],
  ['JSON', 'study --json', 'application/json', /^{}$/],
  ['formatted JSON', 'study', 'application/json', /^Demand /],
])('territory prints %s without schemas, a database, or a renderer', async (...row) => {
  const [, words, type, printed] = row;
  const { url } = await fakeService(scripted({ headers: { 'Content-Type': type } }));
  const env = { TERRITORY_URL: url };
  const modules = await loadedModules('doors/cli/territory.ts', words.split(' '), printed, env);
  expect(modules.filter((url) => SCHEMAS.test(url) || HEAVY.test(url))).toEqual([]);
});
