import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFile } from '../../../src/base/geodata/project-files.ts';

/** Imports of a bundled file that are loaded with it */
const IMPORT = /^import (?:[^;]*? from )?"([^"]+)";/gm;

it('the service starts without the packages of imports, exports, and pictures, which fill a fifth of its memory', () => {
  const files = new Set(
    ['main.js', 'bundled/main/app.js'].map((one) => projectFile(`dist/${one}`)),
  );
  const packages = new Set<string>();
  // A set also visits what is added meanwhile.
  for (const file of files) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (name!.startsWith('.')) files.add(join(dirname(file), name!));
      else packages.add(name!);
    }
  }
  // The fonts' addresses need the canvas library. Other packages are part of the bundles.
  const isModule = (name: string) => name.startsWith('node:') || ['http', 'url'].includes(name);
  expect([...packages].filter((name) => !isModule(name))).toEqual(['@napi-rs/canvas']);
});
