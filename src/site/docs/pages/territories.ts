/** How a brand's ZIPs come and go, and who decides it. */
import { REVIEWERS } from '../../../account/access.ts';
import { MAX_ZIPS_PER_CALL } from '../../../agent/fields.ts';
import { MAX_ZIPS_PER_CHANGE } from '../../../territory/zip-list.ts';
import { count } from '../../format.ts';
import { example, list, output, shell, table, text, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';
import { KEY_PLACEHOLDER } from './common.ts';

export const territoriesPage = ({ roots: { api } }: DocsSource): DocPage => ({
  path: '/docs/territories',
  name: 'Territories',
  title: 'Territories',
  description:
    'How ZIP codes are added to a brand, reviewed by people, removed, and given back by undoing.',
  sections: [
    {
      blocks: [
        text(
          'A brand **holds** ZIP codes. Each is in one of three states, and every change is in a trail that is only ever added to.',
        ),
        table(
          'States of a ZIP code',
          ['State', 'What it is', 'How it comes to be'],
          [
            ['pending', 'Asked for, and waits for a person', 'By applying for it'],
            ['live', 'Part of the territory', 'By a reviewer’s approval, never otherwise'],
            ['removed', 'Not held any more', 'By removing it'],
          ],
        ),
        text('Besides, two flags are worked out from what is held:'),
        list(
          '**shared**: another brand of your organisation holds it, too.',
          '**isolated**: the brand holds none of its neighbours.',
        ),
        text(
          'The examples use the [command line](/docs/cli). The same is done by tools over [MCP](/docs/mcp), and in the browser under [your account](/account).',
        ),
        shell(
          'territories-environment',
          `export TERRITORY_URL=${api} TERRITORY_API_KEY=${KEY_PLACEHOLDER}`,
        ),
      ],
    },
    {
      title: 'Adding',
      blocks: [
        text(
          `Ask for up to ${count(MAX_ZIPS_PER_CALL)} ZIP codes a call, or for up to ${count(MAX_ZIPS_PER_CHANGE)} a change in [your account](/account). First it shows what would come of it, and changes nothing:`,
        ),
        example({
          id: 'territories-apply-preview',
          language: 'sh',
          code: 'territory apply lone-star-roofing 76102 76107 --note "Next to our crews"',
          exitCode: 8,
          answer: output(`Preview

For lone-star-roofing

  ZIPs
  2  would wait for a person’s review
     76102, 76107
territory: Nothing was changed: changes are made with --confirm.`),
        }),
        text('With `--confirm` they wait for a review:'),
        shell(
          'territories-apply',
          'territory apply lone-star-roofing 76102 76107 --note "Next to our crews" --confirm',
          output(
            `Applied for lone-star-roofing

  ZIPs
  2  wait for a person’s review
     76102, 76107

What becomes of them:
  territory pending --batch 656f8850-3dfa-40e3-9b62-4a148484c8b5`,
            '656f8850-3dfa-40e3-9b62-4a148484c8b5',
          ),
        ),
        text(
          'ZIP codes that the brand holds already stay as they are. Those of PO boxes and single buildings have no area and are told apart. An `idempotencyKey` makes sure that a request that was sent twice is done once.',
        ),
      ],
    },
    {
      title: 'Review',
      blocks: [
        text(
          `Only a person with the role ${reviewers()} decides, in the browser: no key and no tool can approve anything. Whoever asked can look at the queue:`,
        ),
        shell(
          'territories-pending',
          'territory pending --brand lone-star-roofing',
          output(
            `Reviews  (5 pending in all)

  ZIPs
  76102  Fort Worth, TX  for lone-star-roofing
         asked by Demo key on 2026-11-21: Next to our crews
  76107  Fort Worth, TX  for lone-star-roofing
         asked by Demo key on 2026-11-21: Next to our crews`,
            '2026-11-21',
          ),
        ),
        list(
          'An **approval** makes the ZIP code live.',
          'A **rejection** keeps its reason; whoever asked finds it in the queue. The ZIP code is again what it was before, and can be asked for again.',
          'What is **removed** while it waits is withdrawn from the queue.',
        ),
      ],
    },
    {
      title: 'Removing',
      blocks: [
        text(
          'A removal needs no review and holds at once, so its preview deserves a look. In the same transaction a snapshot is kept of what each ZIP code was.',
        ),
        shell(
          'territories-remove',
          'territory remove lone-star-roofing 75201 --reason Overlap --confirm',
          output(
            `Removed from lone-star-roofing

  ZIPs
  1  are removed, live until now
     75201

A person can undo it, once: removal ced04c4b-e9ff-48a2-937e-ae9cd3151128`,
            'ced04c4b-e9ff-48a2-937e-ae9cd3151128',
          ),
        ),
      ],
    },
    {
      title: 'Undoing',
      blocks: [
        text(
          'A person undoes a removal, once, on the brand’s page or under [Activity](/account/activity). It needs no role: whoever may change territories may undo. Each ZIP code is again what it was: live ones are live, reviews that were withdrawn wait again. What the brand has come to hold again since is left as it is.',
        ),
        shell(
          'territories-activity',
          'territory activity --limit 1',
          output(
            `Changes  (times are UTC)

  The latest first
  2026-11-21 09:40  Demo key
                    Removed 1 ZIP from Lone Star Roofing: 75201. Reason: Overlap
                    A person can undo it: removal
                    ced04c4b-e9ff-48a2-937e-ae9cd3151128.
…`,
            ...['2026-11-21', '09:40', 'ced04c4b-e9ff-48a2-937e-ae9cd3151128'],
          ),
        ),
      ],
    },
    {
      title: 'Who may do what',
      blocks: [
        table(
          'Who may change territories',
          ['Who', 'Ask and remove', 'Undo', 'Decide reviews'],
          [
            ['A key', 'If it writes, for the brands in its scope', 'Never', 'Never'],
            ['A connector', 'If the person may, and let it', 'Never', 'Never'],
            ['A person', 'Yes', 'Yes', `With the role ${reviewers()}`],
            ['A person who may only read', 'Never', 'Never', 'Never'],
          ],
        ),
        text('All of it needs a plan that runs and includes changes.'),
        text(
          'Two people who change one brand at the same time do so one after the other: neither overwrites the other.',
        ),
      ],
    },
  ],
});

const reviewers = () =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(REVIEWERS.map((role) => `\`${role}\``));
