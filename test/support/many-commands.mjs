/**
 * Runs commands one after another, each as if it were a process of its own: with its own arguments,
 * environment, output, and exit code. `many-commands.ts` sends them, one JSON text a line.
 */
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const answer = process.stdout.write.bind(process.stdout);
const { PATH } = process.env;
const end = process.exit.bind(process);

class Exit extends Error {}

async function run({ module, args, env }, number) {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk, ...rest) => {
      output[name] += chunk;
      rest.find((one) => typeof one === 'function')?.();
      return true;
    };
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, { PATH, ...env });
  process.argv.splice(1, Infinity, module, ...args);
  process.exitCode = undefined;
  process.exit = (code) => {
    process.exitCode = code ?? process.exitCode;
    throw new Exit();
  };
  try {
    // The query makes Node run the module again. The modules that it imports are loaded once.
    await import(`${pathToFileURL(module)}?run=${number}`);
  } catch (error) {
    if (!(error instanceof Exit)) {
      output.stderr += `${inspect(error)}\n`;
      process.exitCode = 1;
    }
  }
  return { code: process.exitCode ?? 0, ...output };
}

let started = 0;
for await (const line of createInterface({ input: process.stdin })) {
  started++;
  answer(`${JSON.stringify(await run(JSON.parse(line), started))}\n`);
}
end(0);
