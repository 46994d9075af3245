/**
 * Bundles the programs with the packages that they use. A program then loads a few files instead of finding,
 * reading, and linking more than a thousand, which takes 40% of the CPU of a start and a third of a command's.
 */
import { bundle } from './bundle.js';

/** Bundled separately, because code that two programs share would need files of its own. */
const PROGRAMS = ['main', 'cli/admin', 'cli/territory'];

/** Packages that load files next to their modules, and mapshaper, which few commands use */
const EXTERNAL = [
  /^@electric-sql\//,
  /^@napi-rs\//,
  /^(mapshaper|pdfkit|fontkit|sharp|sql\.js)(\/|$)/,
];

/**
 * A program's own file must not contain modules that files loaded later share: they would wait for the
 * program while it waits for them.
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
    await bundle(input, {
      dir: to,
      entryFileNames: '[name].js',
      chunkFileNames: `bundled/${name}/[name].js`,
      sourcemap: true,
      sourcemapExcludeSources: true,
      codeSplitting: ownFile(name),
    });
  }
}
