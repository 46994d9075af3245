/**
 * Packages that browser scripts import by name. They are served from our own origin, next to the scripts,
 * and the names in imports are replaced with relative addresses.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';

const require = createRequire(import.meta.url);

/** The module of each import, in its package */
const MODULES: Readonly<Record<string, string>> = {
  preact: 'dist/preact.mjs',
  'preact/hooks': 'hooks/dist/hooks.mjs',
  'preact/jsx-runtime': 'jsx-runtime/dist/jsxRuntime.mjs',
  'terra-draw': 'dist/terra-draw.module.js',
  'terra-draw-maplibre-gl-adapter': 'dist/terra-draw-maplibre-gl-adapter.module.js',
};

/** `from "preact"`, `import("terra-draw")` */
const BY_NAME = /(\bfrom\s*|\bimport\s*\(\s*)(["'])([a-z][\w./-]*)\2/g;

const fileOf = (name: string) => `packages/${name}.js`;

/** Returns the modules by their file names among the assets. */
export function packageModules(): [file: `${string}.js`, text: string][] {
  return Object.entries(MODULES).map(([name, path]) => {
    const [packageName = name] = name.split('/');
    // All of them resolve to a file in `<package>/dist`.
    const root = dirname(dirname(require.resolve(packageName)));
    const file = fileOf(name) as `${string}.js`;
    return [file, withRelativeImports(file, readFileSync(join(root, path), 'utf8'))];
  });
}

/** @param file file name of the importing module among the assets */
export const withRelativeImports = (file: string, text: string): string =>
  text.replaceAll(BY_NAME, (whole, start: string, quote: string, name: string) => {
    if (!(name in MODULES)) return whole;
    const path = posix.relative(posix.dirname(file), fileOf(name));
    return `${start}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
