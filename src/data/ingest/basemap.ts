/** `import basemap`: imports files of the Census Bureau, Natural Earth, and others. */
import { basename } from 'node:path';
import type { BasemapLayer } from '../basemap/features.ts';
import type { Database } from '../../base/db/database.ts';
import { fitNotes } from './fit.ts';
import { storeBasemap, type BasemapSource, type StoreOptions } from './basemap-store.ts';
import { expandFolders } from './input-file.ts';
import type { Progress } from './progress.ts';
import { Findings, type ImportReport } from './report.ts';
import { layerOf } from './sources/layers.ts';
import { readFeatures } from './sources/read-features.ts';
import { sourceTitle } from './sources/titles.ts';

export interface BasemapOptions {
  /** Default: from each file's name */
  layer?: BasemapLayer;
  /** Source for the attribution. Default: from each file's name */
  source?: string;
  /** Sources to add to those from the files */
  more?: readonly BasemapSource[];
  coast?: StoreOptions['coast'];
  dryRun?: boolean;
  progress: Progress;
}

/**
 * Returns the files, including those in folders, and their layers in the same order.
 * @throws ImportError if the layer of a file is unclear
 */
export async function filesAndLayers(
  files: string[],
  layer?: BasemapLayer,
): Promise<{ paths: string[]; layers: BasemapLayer[] }> {
  const paths = await expandFolders(files);
  return { paths, layers: paths.map((file) => layer ?? layerOf(file)) };
}

/**
 * Replaces each layer that the files belong to with the content of its files.
 * @throws ImportError, without changing anything, if a file can't be read or its layer is unclear
 */
export async function importBasemap(
  db: Database,
  files: string[],
  options: BasemapOptions,
): Promise<ImportReport> {
  const findings = new Findings();
  const { paths, layers } = await filesAndLayers(files, options.layer);
  const titles = new Set<string>();
  async function* sources(): AsyncGenerator<BasemapSource> {
    for (const source of options.more ?? []) {
      titles.add(source.facts.vintage);
      yield source;
    }
    for (const [i, file] of paths.entries()) {
      options.progress(`Importing ${basename(file)}`, i, paths.length);
      const facts = { vintage: options.source ?? sourceTitle(file), synthetic: false };
      titles.add(facts.vintage);
      for await (const features of readFeatures(db, file, layers[i]!, findings)) {
        yield { ...features, facts };
      }
    }
  }
  const kept = await storeBasemap(db, sources(), {
    dryRun: options.dryRun ?? false,
    progress: options.progress,
    note: (text) => findings.note(text),
    coast: options.coast,
  });
  if (layers.includes('counties') && !options.dryRun) {
    for (const note of await fitNotes(db)) findings.note(note);
  }
  findings.note(`layers replaced: ${[...new Set(layers)].join(', ')}`);
  return findings.report({
    kind: 'basemap',
    files: paths,
    vintage: [...titles].join(', '),
    dryRun: options.dryRun,
    kept,
  });
}
