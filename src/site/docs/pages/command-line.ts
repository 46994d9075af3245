/** How people begin at a terminal, and scripts in one. */
import { COMMANDS } from '../../../cli/territory/commands.ts';
import { EXIT, EXIT_MEANINGS } from '../../../cli/territory/failure.ts';
import { SETTINGS } from '../../../cli/territory/settings.ts';
import { heading, list, output, shell, table, text, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';
import { KEY_PLACEHOLDER, SAMPLE_NOTE } from './common.ts';

export const commandLinePage = ({ roots: { api } }: DocsSource): DocPage => ({
  path: '/docs/cli',
  name: 'Quick start: CLI',
  title: 'Quick start: command line',
  description:
    'territory asks the service what the API can answer, as tables for people and as JSON for scripts.',
  sections: [
    {
      blocks: [
        text(
          'The command comes with the service: in its folder, after `npm ci`, it is `npx territory`; the examples leave `npx` out. It calls the API and nothing else, so it runs wherever that can be reached.',
        ),
        shell('cli-url', `export TERRITORY_URL=${api}`),
        text(`What is public needs no key. ${SAMPLE_NOTE}`),
        shell(
          'cli-best',
          'territory best seattle-wa hvac',
          output(`Best ZIPs for hvac in seattle-wa

  Rank  ZIP    City          State  Score
     1  98258  Lake Stevens  WA       100  ━━━━━━━━━━
     2  98294  Sultan        WA       100  ━━━━━━━━━━
     3  98201  Everett       WA       100  ━━━━━━━━━━
…
Scores from: Sample data (synthetic; not ACS)`),
        ),
      ],
    },
    {
      title: 'On your brands',
      blocks: [
        text('Mint one under [API keys](/account/keys), and it works on your brands:'),
        shell('cli-key', `export TERRITORY_API_KEY=${KEY_PLACEHOLDER}`),
        shell(
          'cli-brands',
          'territory brands',
          output(`Brands

  Name               Slug               Live ZIPs  In review
  Desert Air HVAC    desert-air-hvac           25          3
  Lone Star Roofing  lone-star-roofing         34          0`),
        ),
        shell(
          'cli-compare',
          'territory compare lone-star-roofing roofing --limit 1',
          output(`lone-star-roofing  (keep 23, cut 11, add …)

  Cut, worst first
  75390  Dallas, TX
         Scores 26, below 50: Share of households that own their home lower than
         in 98 % of ZIPs; Share of homes that are detached houses lower than in
         97 % of ZIPs.
…`),
        ),
        shell(
          'cli-render',
          'territory render lone-star-roofing -o territory.png',
          output(
            `territory.png: 123,959 bytes of image/png
34 ZIPs on 800 x 600 pixels: Live
Source: Sample data (synthetic; not ACS)`,
            '123,959',
          ),
        ),
      ],
    },
    {
      title: 'In scripts',
      blocks: [
        list(
          '`--json` prints the answer byte by byte, `-o` writes it to a file.',
          'Lists come in pages: `--limit` and `--cursor`, or `--all`, which puts them together. Each page costs a call.',
          'Told to call again later, it waits and does, up to two minutes (`--max-wait`, `--no-retry`).',
          'Where it takes ZIPs, `@file` reads them from a file and `-` from standard input.',
          'Changes only show what they would do; `--confirm` does it.',
        ),
        shell(
          'cli-json',
          'territory score dallas-tx roofing --min-score 98 --all --json > best.json',
        ),
        text('What went wrong is told on standard error, and by the exit code:'),
        shell(
          'cli-exit',
          `territory zip 7520 || echo "exit code $?"`,
          output(`territory: zip: must be five digits, such as 75201
exit code ${EXIT.badRequest}`),
        ),
        table(
          'Exit codes',
          ['Code', 'Meaning'],
          (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [
            String(EXIT[name]),
            EXIT_MEANINGS[name],
          ]),
        ),
      ],
    },
    {
      title: 'Settings',
      blocks: [
        table(
          'Settings from the environment',
          ['Variable', 'Meaning'],
          Object.entries(SETTINGS).map(([name, meaning]) => [`\`${name}\``, meaning]),
        ),
      ],
    },
    {
      title: 'Commands',
      blocks: [
        text('`--help` on each of them tells its options and shows examples.'),
        ...Object.entries(COMMANDS).flatMap(([group, commands]) => {
          const needs = group.replace(/:$/, '');
          const rows = commands.map(({ usage, summary }) => [`\`${usage}\``, summary]);
          return [heading(needs), table(needs, ['Command', 'What it does'], rows)];
        }),
      ],
    },
  ],
});
