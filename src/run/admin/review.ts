/** `territory-admin review list | approve | reject`. Decisions are made as a member with a reviewing role. */
import { Option, type Command } from 'commander';
import { actorName } from '../../people/account/caller.ts';
import type { TenantDatabase, TenantTransaction } from '../../people/account/tenant.ts';
import { REVIEW_STATUSES } from '../../territories/brands/brand-zips.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { listReviews, type Review } from '../../territories/brands/review-list.ts';
import {
  approveReviews,
  rejectReviews,
  type Decided,
  type ReviewChoice,
  type Reviewer,
} from '../../territories/brands/review.ts';
import { layoutOf } from '../../doors/cli/layout.ts';
import { formatTable } from '../../doors/cli/table.ts';
import { print } from './command.ts';
import {
  minute,
  organizationOption,
  withOrganization,
  type OrganizationFlags,
} from './organization.ts';
import { parseId, reviewerOf } from './reviewer.ts';
import { splitZips } from '../../doors/cli/arguments.ts';

interface ChoiceFlags extends OrganizationFlags {
  brand?: string;
  zips?: string[];
  batch?: string;
}

interface DecisionFlags extends ChoiceFlags {
  as: string;
}

export function defineReviews(review: Command): void {
  addList(review);
  addApprove(review);
  addReject(review);
}

function addList(review: Command): void {
  review
    .command('list')
    .description('list the review queue, oldest first')
    .addOption(organizationOption())
    .option('--brand <name>', 'only this brand')
    .addOption(
      new Option('--status <status>', 'reviews with this status')
        .choices([...REVIEW_STATUSES])
        .default('pending'),
    )
    .option('--cursor <text>', 'nextCursor of the previous page')
    .action((flags: ChoiceFlags & { status: Review['status']; cursor?: string }) =>
      withOrganization(flags, async (_organization, tenant) => {
        const page = await listReviews(
          tenant,
          'all',
          { status: flags.status, brandId: await brandId(tenant, flags.brand) },
          { cursor: flags.cursor },
        );
        const { rows: reviews, nextCursor } = page;
        print(flags, { reviews, nextCursor }, () => listText(reviews, nextCursor));
      }),
    );
}

const addApprove = (review: Command) =>
  addChoice(review.command('approve').description('make ZIP codes live')).action(
    (ids: string[], flags: DecisionFlags) =>
      decide(ids, flags, (tx, reviewer, choice) => approveReviews(tx, reviewer, choice)),
  );

const addReject = (review: Command) =>
  addChoice(
    review
      .command('reject')
      .description('reject requests; the ZIP codes return to their previous status'),
  )
    .requiredOption('--reason <text>', 'reason, shown to the requester')
    .action((ids: string[], flags: DecisionFlags & { reason: string }) =>
      decide(ids, flags, (tx, reviewer, choice) =>
        rejectReviews(tx, reviewer, choice, flags.reason),
      ),
    );

const addChoice = (command: Command) =>
  command
    .argument('[ids...]', 'review ids (default: all pending reviews of --batch or --brand)')
    .addOption(organizationOption())
    .requiredOption('--as <email>', 'member who decides: an owner, admin, or reviewer')
    .option('--batch <id>', 'all ZIP codes of one request', parseId)
    .option('--brand <name>', 'only this brand')
    .option('--zips <list>', 'only these ZIP codes, e.g. 75201,75204', splitZips);

const decide = (
  ids: string[],
  flags: DecisionFlags,
  work: (tx: TenantTransaction, reviewer: Reviewer, choice: ReviewChoice) => Promise<Decided>,
) =>
  withOrganization(flags, async (organization, tenant, db) => {
    const reviewer = await reviewerOf(db, organization, tenant, flags.as);
    const choice = {
      ids: ids.length > 0 ? ids : undefined,
      batchId: flags.batch,
      brandId: await brandId(tenant, flags.brand),
      zips: flags.zips,
    };
    const decision = await tenant.transaction((tx) => work(tx, reviewer, choice));
    print(flags, decision, decisionText);
  });

async function brandId(tenant: TenantDatabase, name: string | undefined) {
  return name === undefined ? undefined : (await findBrand(tenant, 'all', name)).id;
}

const listText = (reviews: readonly Review[], nextCursor: string | null) =>
  reviews.length === 0
    ? 'No reviews match.'
    : [
        formatTable(layoutOf(process.stdout), reviews, {
          Review: 'id',
          Brand: ({ brand }) => brand.name,
          ZIP: 'zip',
          City: 'city',
          Requested: ({ requestedAt }) => minute(requestedAt.toISOString()),
          By: ({ requestedBy }) => actorName(requestedBy),
          Note: 'note',
        }),
        ...(nextCursor ? [`More rows: --cursor ${nextCursor}`] : []),
      ].join('\n');

function decisionText({ decided, notOpen, refused }: Decided): string {
  return [
    ...decided.map(({ zip, brand, status }) => `${zip} of ${brand.name}: ${status}.`),
    ...notOpen.map(
      (review) => `${review.zip} of ${review.brand.name}: unchanged, already ${review.status}.`,
    ),
    ...refused.map(
      ({ zip, brand, reason }) => `${zip} of ${brand.name}: still pending, ${reason}.`,
    ),
  ].join('\n');
}
