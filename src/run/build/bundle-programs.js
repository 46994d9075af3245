/**
 * Bundles the programs with the packages that they use. A program then loads a few files instead of finding,
 * reading, and linking more than a thousand, which takes 40% of the CPU of a start and a third of a command's.
 */
import { readdirSync, rmSync } from 'node:fs';
import { bundle } from './bundle.js';
import { EXTERNAL } from './packages.js';

/** Bundled separately, because code that two programs share would need files of its own. */
const PROGRAMS = ['main', 'run/admin', 'doors/cli/territory'];

/**
 * Modules that a program loads later import some of its first modules. In the program's own file, these would
 * never be ready: that file awaits the later modules. So they get a file of their own, `first.js`.
 */
const ownFile = (program) => ({
  groups: [{ name: 'first', tags: ['$initial'], test: (id) => !id.endsWith(`/src/${program}.ts`) }],
});

/**
 * @param from folder of the sources
 * @param to folder of the compiled modules. The bundles replace those of the programs
 */
export async function bundlePrograms(from, to) {
  for (const name of PROGRAMS) {
    const input = {
      input: { [name]: `${from}/${name}.ts` },
      platform: 'node',
      external: EXTERNAL,
      // Koa's packages use `eval`, and some modules are loaded both at once and later.
      checks: { eval: false, ineffectiveDynamicImport: false },
      tsconfig: 'tsconfig.json',
    };
    const written = await bundle(input, {
      dir: to,
      entryFileNames: '[name].js',
      chunkFileNames: `bundled/${name}/[name].js`,
      sourcemap: true,
      sourcemapExcludeSources: true,
      codeSplitting: ownFile(name),
      // Keeps the names of exports: a running service may load files of the next build.
      minifyInternalExports: false,
    });
    const names = new Set(written.map(({ fileName }) => fileName));
    removeStale(`bundled/${name}`, names, to);
  }
}

/** Removes files of earlier bundles, last, because a running service may load them during the build. */
function removeStale(folder, names, to) {
  for (const name of readdirSync(`${to}/${folder}`)) {
    if (!names.has(`${folder}/${name.replace(/\.map$/, '')}`)) rmSync(`${to}/${folder}/${name}`);
  }
}
