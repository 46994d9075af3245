/** How programs begin: with curl, first without and then with a key. */
import { PUBLIC_TABLE_ROWS } from '../../../market/public/ranking.ts';
import { json, list, output, shell, text, type DocPage } from '../blocks.ts';
import type { DocsSource } from '../documentation.ts';
import { exportKey, SAMPLE_NOTE } from './common.ts';

export const restPage = ({ roots: { api, site } }: DocsSource): DocPage => ({
  path: '/docs/rest',
  name: 'Quick start: REST',
  title: 'Quick start: REST',
  description:
    'Scores, rankings and territory plans as JSON: the first answer without a key, the next with one.',
  sections: [
    {
      blocks: [
        text(
          `All paths below are relative to \`${api}\`. Answers are JSON unless their path ends otherwise. ${SAMPLE_NOTE}`,
        ),
      ],
    },
    {
      title: 'Without a key',
      blocks: [
        text('One ZIP code’s score for a vertical, with the census figures behind it:'),
        shell(
          'rest-zip',
          `curl ${api}/public/zip/75201/vertical/roofing`,
          json(
            `{
  "zipCode": "75201",
  "verticalSlug": "roofing",
  "score": 35,
  "demographics": {
    "zipCode": "75201",
    "city": "Dallas",
    "state": "TX",
    "medianHouseholdIncome": 53053,
    "ownerOccupiedPct": 44.4,
    "homeAgePre1980Pct": 81.2,
    "sourceVintage": "Sample data (synthetic; not ACS)",
    …
  },
  "metroSlug": "dallas-tx",
  "metroLabel": "Dallas, TX",
  "metroFullName": "Dallas-Fort Worth-Arlington, TX",
  "vintage": "Sample data (synthetic; not ACS)",
  "updatedAt": "2026-11-21T09:39:07.854Z"
}`,
            '2026-11-21T09:39:07.854Z',
          ),
        ),
        text(
          `A score of 35 means: fits the vertical better than about 35 % of the country’s ZIP codes. How that comes about is told in the [methodology](/methodology). The best of a metro, ${PUBLIC_TABLE_ROWS} of them:`,
        ),
        shell(
          'rest-best',
          `curl ${api}/public/metro/dallas-tx/vertical/roofing/best-zips`,
          json(`{
  "metroSlug": "dallas-tx",
  "verticalSlug": "roofing",
  "zips": [
    { "zipCode": "76078", "city": "Rhome", "state": "TX", "score": 100, "rank": 1 },
    { "zipCode": "76108", "city": "Fort Worth", "state": "TX", "score": 100, "rank": 2 },
    …
  ],
  "sampled": true,
  "vintage": "Sample data (synthetic; not ACS)"
}`),
        ),
        text(
          'The public layer knows the launched metros and verticals and samples their rankings. Everything else needs a key.',
        ),
      ],
    },
    {
      title: 'With a key',
      blocks: [
        text(
          `Mint a key in your account under [API keys](/account/keys); a new account begins with a trial. Keep it in the environment, not in code:`,
        ),
        exportKey('rest-key'),
        text('What the key can do, and the units that are left:'),
        shell(
          'rest-capabilities',
          `curl ${api}/agent/capabilities \\
  -H "Authorization: Bearer $TERRITORY_API_KEY"`,
          json(
            `{
  "accessEnabled": true,
  "organization": { "slug": "demo", "name": "Demo" },
  "plan": {
    "status": "active",
    "trialEndsAt": null,
    "seats": 5,
    "writeEntitlement": true
  },
  "usage": {
    "period": "2026-11",
    "unitsIncluded": 1000,
    "unitsUsed": 12,
    "unitsRemaining": 988,
    "resetsAt": "2026-12-01T00:00:00.000Z"
  },
  "mayWrite": true,
  …
}`,
            ...['2026-11', '12', '988', '2026-12-01T00:00:00.000Z'],
          ),
        ),
        text(
          'A territory plan: which ZIP codes of a market to go for, why, and what to do next. Give a launched metro, or any ZIP codes as `zips`.',
        ),
        shell(
          'rest-plan',
          `curl ${api}/agent/territory-plan \\
  -H "Authorization: Bearer $TERRITORY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"metro": "dallas-tx", "vertical": "roofing", "size": 10}'`,
          json(`{
  "market": {
    "name": "Dallas-Fort Worth-Arlington, TX",
    "metroSlug": "dallas-tx",
    "zipCount": 273,
    "scoredZipCount": 270
  },
  "verticalSlug": "roofing",
  "recommendations": [
    {
      "rank": 1,
      "zipCode": "76078",
      "city": "Rhome",
      "state": "TX",
      "score": 100,
      "demand": "very high",
      "reasons": [
        "Demand is very high: it fits better than about 99 % of the country",
        "Owner households higher than in 92 % of ZIPs",
        …
      ],
      "cautions": [
        "Share of homes 15 to 30 years old lower than in 71 % of ZIPs"
      ],
      "adjacentZips": [],
      "heldBy": []
    },
    …
  ],
  "nextActions": [
    {
      "action": "Apply for these ZIPs for one of your brands: they go live when a person has approved them.",
      "tool": "service_apply_territory"
    },
    …
  ],
  …
}`),
        ),
        text(
          'It costs as many [units](/docs/limits) as scoring a territory. All that brands hold, compare and change is reached over [MCP](/docs/mcp) or by the [command line](/docs/cli), which call the same tools.',
        ),
      ],
    },
    {
      title: 'Good manners',
      blocks: [
        list(
          '**Ignore what you do not know.** New fields come without notice; see [versioning](/docs/versioning).',
          '**Take null for unknown.** What the census suppresses is null, never zero.',
          '**Branch on `code`, show `error`.** The [errors](/docs/errors) have both.',
          '**Name the vintage** where you show a figure: each answer tells it.',
          '**Ask again cheaply.** Public answers have an `ETag`. Sent back as `If-None-Match`, it is answered by 304 without a body:',
        ),
        shell(
          'rest-etag',
          `curl --etag-save etag.txt -o hvac.json ${api}/public/vertical/hvac
curl --etag-compare etag.txt -w '%{http_code}\\n' ${api}/public/vertical/hvac`,
          output('304'),
        ),
        text(
          `Every operation with its parameters and answers is in the [API reference](/docs/reference), and as OpenAPI 3.1 at [openapi.json](${api}/openapi.json) and [openapi.yaml](${api}/openapi.yaml). Language models begin with [llms.txt](${site}/llms.txt).`,
        ),
      ],
    },
  ],
});
