import { z } from 'zod';
import { findBrand, type Brand } from '../../territories/brands/brands.ts';
import {
  ADD_FROM,
  compareToScores,
  KEEP_FROM,
  type Advice,
  type Outcome,
} from '../../territories/brands/compare.ts';
import {
  brand,
  dataSet,
  figure,
  formatZip,
  holderFields,
  placeFields,
  vertical,
} from './support/fields.ts';
import { tool } from './tool.ts';
import { formatCount, pluralize } from '../../base/text/words.ts';

/** Largest length of the list. The reason contains the full count. */
const MAX_SPLIT_OFF = 20;

const totals = z.object({
  zips: z.int(),
  households: z.number(),
  averageScore: figure,
  opportunity: figure,
  pieces: z.int(),
});
const threshold = z.int().min(0).max(100);

export const compareBrandToScores = tool({
  name: 'service_compare_brand_to_scores',
  title: 'Compare a brand to scores',
  summary:
    'Recommend which ZIP codes a brand should keep, cut, or add, with reasons from a vertical’s scores',
  description:
    'Use to improve a territory. Additions border it. effect: totals after the listed cuts, and after ' +
    'cuts and additions. A cut with splitsOff splits the territory.',
  units: 1,
  write: false,
  input: z.object({
    brand,
    vertical,
    keepFrom: threshold.default(KEEP_FROM).describe('Cut below this score'),
    addFrom: threshold.default(ADD_FROM).describe('Add from this score on'),
    limit: z.int().min(1).max(50).default(25).describe('Rows per kind of advice'),
    compareWith: dataSet
      .optional()
      .describe(
        'Own data set: no cuts at or above its metro’s median rate, additions below it first',
      ),
  }),
  output: z.object({
    brand: z.string(),
    brandName: z.string(),
    counts: z.object({ keep: z.int(), cut: z.int(), add: z.int() }),
    zips: z.array(
      z.object({
        advice: z.enum(['cut', 'add', 'keep']),
        ...placeFields,
        score: figure,
        households: figure,
        reason: z.string(),
        splitsOff: z.array(z.string()).describe('Cuts: ZIP codes split off, the first 20'),
        heldBy: z.array(z.string()).describe('Additions: other brands'),
        heldByNames: z.array(z.string()),
      }),
    ),
    effect: z.record(z.enum(['now', 'afterCut', 'afterBoth']), totals),
  }),
  example: { brand: 'lone-star-roofing', vertical: 'roofing', limit: 10 },
  async handle(input, { db, caller }) {
    const { tenant, brandScope } = caller;
    const { id, slug, name } = await findBrand(tenant, brandScope, input.brand);
    const result = await compareToScores(db, caller, brandScope, { id }, input);
    const { keep, cut, add, counts, now, afterCut, afterBoth } = result;
    const data = {
      brand: slug,
      brandName: name,
      counts,
      zips: [
        ...cut.map((zip) => adviceData('cut', zip, { splitsOff: zip.splitsOff })),
        ...add.map((zip) => adviceData('add', zip, { heldBy: zip.heldBy })),
        ...keep.map((zip) => adviceData('keep', zip)),
      ],
      effect: { now: now, afterCut, afterBoth },
    };
    const text = [
      `${name} against ${input.vertical} scores: keep ${formatCount(counts.keep)}, cut ` +
        `${formatCount(counts.cut)} (below ${input.keepFrom}), add ${formatCount(counts.add)} (bordering, from ` +
        `${input.addFrom}).`,
      ...section('Cut, worst first', cut, counts.cut),
      ...section('Add, best first', add, counts.add),
      ...section('Keep, best first', keep, counts.keep),
      `Now: ${outcomeText(now)}. After the listed cuts: ${outcomeText(afterCut)}. After cuts and ` +
        `additions: ${outcomeText(afterBoth)}.`,
      ...(afterCut.pieces > now.pieces
        ? ['Warning: the cuts together split the territory into more pieces.']
        : []),
      nextStep(now.zips, counts),
    ].join('\n');
    return { data, text };
  },
});

const adviceData = (
  advice: 'cut' | 'add' | 'keep',
  zip: Advice,
  { splitsOff = [], heldBy = [] }: { splitsOff?: string[]; heldBy?: Brand[] } = {},
) => ({ advice, ...zip, splitsOff: splitsOff.slice(0, MAX_SPLIT_OFF), ...holderFields(heldBy) });

function nextStep(held: number, { cut, add }: { cut: number; add: number }): string {
  if (held === 0) {
    return 'The brand holds no ZIP codes yet. Next: service_score_territory or service_discover_zips.';
  }
  if (cut + add === 0)
    return 'Nothing to change. Next: search a wider area with service_discover_zips.';
  return 'Next: service_remove_territory for cuts, service_apply_territory for additions.';
}

function section(heading: string, rows: readonly Advice[], total: number): string[] {
  if (rows.length === 0) return [];
  const cut = rows.length < total ? ` (${rows.length} of ${formatCount(total)})` : '';
  return [`${heading}${cut}:`, ...rows.map((zip) => `- ${formatZip(zip)}: ${zip.reason}`)];
}

const outcomeText = ({ zips, households, averageScore, pieces }: Outcome) =>
  `${pluralize(zips, 'ZIP code')} in ${pluralize(pieces, 'piece')}, ${pluralize(households, 'household')}, ` +
  `average score ${averageScore ?? 'unknown'}`;
