/** Values that are the same for every service and for both commands. */
import type { Suggestion } from './suggest.ts';

/** Values by the name of an operand or option */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  style: ['light', 'dark', 'muted'],
  classes: ['national', 'quantiles', 'equal'],
  'zip-labels': ['zip', 'score', 'both', 'none'],
  composition: ['thumbnail', 'social', 'square', 'story', 'banner', 'print'],
  from: ['border', 'centroid'],
  engine: ['auto', 'canvas', 'maplibre-native'],
  role: ['owner', 'admin', 'reviewer', 'member'],
};

/** Operands and options whose value is a file, which the shell completes. Lists of ZIP codes accept `@file`. */
const FILES = new Set([
  'output',
  'file',
  'client-secret-file',
  'zips',
  'logo',
  'cache',
  'folder',
  'archive',
  'underlay',
]);

export async function knownValues(name: string): Promise<readonly Suggestion[] | undefined> {
  if (FILES.has(name)) return undefined;
  if (name === 'metro' || name === 'market') {
    const { launchedMetros } = await import('../../market/metros.ts');
    return launchedMetros().map(({ slug, label }) => ({ value: slug, note: label }));
  }
  if (name === 'vertical') {
    const { VERTICALS } = await import('../../scoring/verticals.ts');
    return VERTICALS.map(({ slug, label }) => ({ value: slug, note: label }));
  }
  return (WORDS[name] ?? []).map((value) => ({ value }));
}
