/** What has changed, from the file that is kept with the contract. */
import { CHANGELOG, type Release } from '../../../contract/changelog.ts';
import { heading, list, text, type DocPage, type Section } from '../blocks.ts';

const KINDS = {
  added: 'Added',
  changed: 'Changed',
  deprecated: 'Deprecated',
  removed: 'Removed',
} as const;

export const changelogPage = (): DocPage => ({
  path: '/docs/changelog',
  name: 'Changelog',
  title: 'Changelog',
  description: 'What has changed in each version of the interface, the latest first.',
  sections: [
    {
      blocks: [
        text(
          'A version is the day of its contract. What may change under a version, and what only with notice, is told under [versioning](/docs/versioning).',
        ),
      ],
    },
    ...CHANGELOG.map(releaseSection),
  ],
});

function releaseSection(release: Release): Section {
  const kinds = (Object.keys(KINDS) as (keyof typeof KINDS)[]).filter((kind) => release[kind]);
  return {
    title: release.version,
    blocks: kinds.flatMap((kind) => [heading(KINDS[kind]), list(...release[kind]!)]),
  };
}
