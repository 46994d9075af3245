/**
 * The guides: Markdown files in `guides/`, in reading order. The first heading of a guide is its title, and
 * its first paragraph is its description.
 */
import { readFileSync } from 'node:fs';
import { projectFile } from '../../../base/geodata/project-files.ts';
import { outlineOf, type Section } from './markdown.ts';

export interface Guide {
  /** From the site's root: `/docs/rest` */
  path: string;
  /** Label in the navigation */
  name: string;
  title: string;
  description: string;
  /** The whole file */
  markdown: string;
  sections: readonly Section[];
}

/** A page in the navigation. Only guides have sections. */
export type Entry = Pick<Guide, 'path' | 'name'> & Partial<Pick<Guide, 'sections'>>;

interface Group {
  title: string;
  entries: readonly Entry[];
}

export const REFERENCE = { path: '/docs/reference', name: 'API reference' } as const;
const METHODOLOGY = { path: '/methodology', name: 'Methodology' } as const;

/** File names without `.md`, in reading order. */
const FILES = {
  start: ['index', 'managers', 'rest', 'mcp', 'cli'],
  use: [
    'maps',
    'static-maps',
    'territories',
    'over-time',
    'own-data',
    'lookups',
    'places',
    'locators',
    'lead-tools',
    'events',
    'scores',
    'census',
    'company-sign-in',
  ],
  operate: ['self-hosting', 'production', 'import-data'],
  reference: ['limits', 'errors', 'versioning', 'changelog'],
} as const;

const read = (files: readonly string[]) => files.map(readGuide);
const [start, use, operate, reference] = [
  read(FILES.start),
  read(FILES.use),
  read(FILES.operate),
  read(FILES.reference),
];

export const GUIDES: readonly Guide[] = [...start, ...use, ...operate, ...reference];

export const GROUPS: readonly Group[] = [
  { title: 'Get started', entries: start },
  { title: 'Guides', entries: use },
  { title: 'Run the service', entries: operate },
  { title: 'Reference', entries: [REFERENCE, ...reference, METHODOLOGY] },
];

/** Paths of all documentation pages, for sitemaps. */
export const DOCS_PATHS: readonly string[] = [...GUIDES.map(({ path }) => path), REFERENCE.path];

function readGuide(file: string): Guide {
  const markdown = readFileSync(projectFile(`src/doors/site/docs/guides/${file}.md`), 'utf8');
  const isIndex = file === 'index';
  // Each page names all guides. Their outlines take a third of a second to read, and their beginnings little.
  const lead = onFirstUse(() => outlineOf(markdown.split('\n## ', 1)[0]!));
  const outline = onFirstUse(() => outlineOf(markdown));
  return {
    path: isIndex ? '/docs' : `/docs/${file}`,
    markdown,
    get name() {
      return isIndex ? 'Overview' : lead().title;
    },
    get title() {
      return lead().title;
    },
    get description() {
      return lead().description;
    },
    get sections() {
      return outline().sections;
    },
  };
}

function onFirstUse<Value extends object>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= read());
}
