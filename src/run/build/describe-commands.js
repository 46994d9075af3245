/**
 * Stores what the command line needs to know of operations and tools. It then starts without their modules, which load
 * schemas and the database.
 */
import { writeFileSync } from 'node:fs';

/** @param to folder of the compiled modules */
export async function describeCommands(to) {
  const load = (module) => import(new URL(`../../../${to}/${module}.js`, import.meta.url));
  const [{ operations }, { answerCaches }, { mapsWith }, { TOOLS }, { describe }] =
    await Promise.all([
      load('app'),
      load('doors/http/answers/answer-caches'),
      load('maps/cartography/map-renderer'),
      load('doors/tools/tools'),
      load('doors/cli/territory/describe'),
    ]);
  // Nothing is called, so no database and no renderer are needed.
  const apiRoot = () => 'http://localhost';
  const parts = { apiRoot, renderer: mapsWith({}) };
  const described = describe(operations(parts, '', answerCaches(apiRoot)), TOOLS);
  for (const [name, all] of Object.entries(described)) {
    writeFileSync(`${to}/doors/cli/${name}.json`, JSON.stringify(all));
  }
}
