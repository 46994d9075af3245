/** What the page of a shared map loads of ours. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { projectFile } from '../paths.ts';
import { FOR_EVER, sitePage, type SitePage } from './page.ts';

const TYPES = {
  'shared-map.css': 'text/css; charset=utf-8',
  'shared-map.js': 'text/javascript; charset=utf-8',
} as const;
type File = keyof typeof TYPES;

const textOf = (file: File) => readFileSync(projectFile(`src/site/${file}`), 'utf8');

const hashes = new Map<File, string>();

/** With a hash, so that a page never meets the file of another version in a cache. */
export function sharedMapAsset(file: File): string {
  let hash = hashes.get(file);
  if (hash === undefined) {
    hash = createHash('sha256').update(textOf(file)).digest('base64url').slice(0, 8);
    hashes.set(file, hash);
  }
  return `/${file}?v=${hash}`;
}

export function sharedMapAssets(): SitePage[] {
  return Object.entries(TYPES).map(([file, type]) =>
    sitePage({
      path: `/${file}`,
      type,
      headers: () => FOR_EVER,
      make: async () => textOf(file as File),
    }),
  );
}
