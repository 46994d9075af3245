/**
 * Compiles TypeScript modules to JavaScript modules with the same paths. It only removes types: it checks
 * nothing, and no module affects the output of another.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { TARGET } from './bundle.js';

const OPTIONS = {
  lang: 'ts',
  target: TARGET,
  sourcemap: true,
  typescript: { rewriteImportExtensions: true, onlyRemoveTypeImports: true },
};

/** Folders of AssemblyScript, which has a compiler of its own */
const KERNELS = /(^|\/)assembly$/;

/** @param from folder of the sources  @param to folder of the output, which may contain other files */
export function compileModules(from, to) {
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith('.ts') && !KERNELS.test(dirname(one)))) {
    const source = join(from, name);
    const file = join(to, name.replace(/\.ts$/, '.js'));
    const result = transformSync(source, readFileSync(source, 'utf8'), OPTIONS);
    const { code, map, errors, helpersUsed } = result;
    const problems = [
      ...errors.map(({ message }) => message),
      ...Object.keys(helpersUsed).map(
        (name) =>
          `The code needs the compiler’s helper ${name}, which isn’t installed. Avoid the syntax that needs it.`,
      ),
    ];
    if (problems.length > 0) throw new Error(`${source}: ${problems.join(' ')}`);
    const sources = [relative(dirname(file), source)];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${code}//# sourceMappingURL=${basename(file)}.map\n`);
    writeFileSync(`${file}.map`, JSON.stringify({ ...map, sources, sourcesContent: undefined }));
  }
  removeStale(new Set(names), to);
}

/** Removes modules whose source doesn't exist anymore. Bundles have no source of their own. */
function removeStale(names, to) {
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    const [, name] = /^(?!(?:bundled|scripts)\/)(.*)\.(?:js|js\.map|d\.ts)$/.exec(file) ?? [];
    if (name !== undefined && !names.has(`${name}.ts`)) rmSync(join(to, file));
  }
}
