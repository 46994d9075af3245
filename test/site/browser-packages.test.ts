import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetTexts } from '../../src/site/assets.ts';
import { withRelativeImports } from '../../src/site/browser-packages.ts';

const IMPORTS = /^\s*import\s(?:[^'"]*\sfrom\s)?['"](?<name>[^'"]+)['"]|\bfrom\s*"(?<by>[^"]+)"/gm;

describe('scripts of pages', () => {
  it('import only files that the service serves', () => {
    const scripts = new Map(
      [...assetTexts()]
        .filter(([name]) => !name.endsWith('.css'))
        .map(([name, text]) => [name.replace(/\.tsx?$/, '.js'), text]),
    );
    const missing = [...scripts].flatMap(([file, text]) =>
      [...text.matchAll(IMPORTS)]
        .map(({ groups }) => (groups!['name'] ?? groups!['by'])!)
        .filter((name) => !scripts.has(posix.join(posix.dirname(file), name)))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
    expect(scripts.get('packages/preact/hooks.js')).toContain('from"../preact.js"');
  });

  it('import packages by relative addresses, and nothing else changes', () => {
    const text = `import { h } from 'preact';\nconst draw = await import("terra-draw");\nfrom 'nowhere';`;
    expect(withRelativeImports('account/map/script.js', text)).toBe(
      `import { h } from '../../packages/preact.js';\nconst draw = await import("../../packages/terra-draw.js");\nfrom 'nowhere';`,
    );
  });
});
