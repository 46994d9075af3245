import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assetPath, assetTexts, importedPaths } from '../../../src/doors/site/assets.ts';

/** Static and dynamic imports. Scripts load MapLibre from an address in the page. */
const IMPORTED = /\b(?:(?:from|import)\s*["'](?<now>[^"']+)|import\(["'`](?<later>[^"'`]+))/g;

const scripts = new Map([...assetTexts()].filter(([name]) => name.endsWith('.js')));

describe('scripts of pages', () => {
  it('import only files that the service serves', () => {
    const missing = [...scripts].flatMap(([file, text]) =>
      [...text.matchAll(IMPORTED)]
        .map(({ groups }) => (groups!['now'] ?? groups!['later'])!)
        .filter((path) => !scripts.has(posix.join(posix.dirname(file), path)))
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('are loaded together with what they import at once, and without what they load later', () => {
    const files = [assetPath('workspace/script.tsx')].concat(importedPaths('workspace/script.tsx'));
    const texts = files.map((path) => scripts.get(path.split('/').slice(3).join('/'))!);
    expect(texts.some((text) => text.includes('Nothing selected'))).toBe(true);
    expect(files.filter((path) => path.includes('terra-draw'))).toEqual([]);
    expect([...scripts.keys()].join()).toContain('terra-draw');
    // A page with more files takes longer to start.
    expect(files.length).toBeLessThan(13);
  });
});
