/** All pages of the documentation, in the order in which they are read. */
import type { Roots } from '../../contract/openapi/about.ts';
import type { Operation } from '../../contract/operation.ts';
import type { DocPage } from './blocks.ts';
import type { Group } from './frame.ts';
import { changelogPage } from './pages/changelog.ts';
import { commandLinePage } from './pages/command-line.ts';
import { errorsPage } from './pages/errors.ts';
import { indexPage } from './pages/index.ts';
import { limitsPage } from './pages/limits.ts';
import { mapsPage } from './pages/maps.ts';
import { mcpPage } from './pages/mcp.ts';
import { restPage } from './pages/rest.ts';
import { territoriesPage } from './pages/territories.ts';
import { versioningPage } from './pages/versioning.ts';

/** What the pages are made of: addresses as readers have them, and what there is to call. */
export interface DocsSource {
  roots: Roots;
  operations: readonly Operation[];
}

export interface Documentation {
  pages: readonly DocPage[];
  /** The navigation, with the pages that are made elsewhere */
  groups: readonly Group[];
}

export const REFERENCE = { path: '/docs/reference', name: 'API reference' } as const;
const METHODOLOGY = { path: '/methodology', name: 'Methodology' } as const;

export function documentation(source: DocsSource): Documentation {
  const index = indexPage(source);
  const [rest, mcp, commandLine] = [restPage(source), mcpPage(source), commandLinePage(source)];
  const [maps, territories] = [mapsPage(source), territoriesPage(source)];
  const [limits, errors] = [limitsPage(source), errorsPage(source)];
  const [versioning, changelog] = [versioningPage(source), changelogPage()];
  return {
    pages: [
      index,
      rest,
      mcp,
      commandLine,
      maps,
      territories,
      limits,
      errors,
      versioning,
      changelog,
    ],
    groups: [
      { title: 'Start', entries: [index, rest, mcp, commandLine] },
      { title: 'Guides', entries: [maps, territories] },
      {
        title: 'Reference',
        entries: [REFERENCE, limits, errors, versioning, changelog, METHODOLOGY],
      },
    ],
  };
}

/** The paths of the pages, for sitemaps: they depend on nothing. */
export const DOCS_PATHS = [
  '/docs',
  '/docs/rest',
  '/docs/mcp',
  '/docs/cli',
  '/docs/maps',
  '/docs/territories',
  '/docs/reference',
  '/docs/limits',
  '/docs/errors',
  '/docs/versioning',
  '/docs/changelog',
] as const;
