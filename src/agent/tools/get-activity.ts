import { z } from 'zod';
import { actorName } from '../../account/caller.ts';
import { NextCursor, pageFields } from '../../paging.ts';
import { ACTIONS, listActivity, type Activity } from '../../territory/activity.ts';
import { findBrand } from '../../territory/brands.ts';
import { brand } from '../fields.ts';
import { tool } from '../tool.ts';
import { moreSuffix, nextPageLine, pluralize } from '../../words.ts';

const action = z.enum(ACTIONS);

export const getActivity = tool({
  name: 'service_get_activity',
  title: 'Get activity',
  summary: 'List changes, latest first; by default those by your own credential',
  description: 'Shows whether a removal can still be undone. Only people can undo.',
  units: 1,
  write: false,
  input: z.object({
    scope: z
      .enum(['own', 'organization'])
      .default('own')
      .meta({ description: 'organization: by everyone, for brands in scope' }),
    brand: brand.optional(),
    action: action.optional(),
    ...pageFields(),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        id: z.int(),
        at: z.string(),
        by: z.string(),
        byKind: z.enum(['key', 'person', 'operator']),
        brand: z.string().nullable().meta({ description: 'Null: the whole organization' }),
        brandName: z.string().nullable(),
        action,
        summary: z.string(),
        zips: z.array(z.string()),
        removalId: z.string().nullable(),
        undoable: z.boolean(),
        before: z
          .looseObject({})
          .meta({ description: 'Status by ZIP code, null: none; or weights' }),
        after: z.looseObject({}),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: { scope: 'organization' },
  async handle(
    { scope, action, ...input },
    { caller: { tenant, brandScope, actor, organization } },
  ) {
    const named =
      input.brand === undefined ? null : await findBrand(tenant, brandScope, input.brand);
    const filter = {
      actorId: scope === 'own' ? (actor.id ?? undefined) : undefined,
      brandId: named?.id,
      action,
    };
    const { rows, nextCursor } = await listActivity(tenant, brandScope, filter, input);
    const own = scope === 'own' ? ` by ${actor.name}` : '';
    const text = [
      `${pluralize(rows.length, 'change')}${own}${moreSuffix(nextCursor)}${rows.length > 0 ? ', latest first:' : '.'}`,
      ...rows.map(line),
      ...undoing(rows, organization.slug),
      ...nextPageLine(nextCursor),
      ...(rows.length === 0 && scope === 'own'
        ? ['For changes by everyone, use scope organization.']
        : []),
    ].join('\n');
    return { data: { entries: rows.map(entryData), nextCursor }, text };
  },
});

const entryData = ({ at, actor, brand, ...entry }: Activity) => ({
  ...entry,
  at: at.toISOString(),
  by: actorName(actor),
  byKind: actor.kind,
  brand: brand?.slug ?? null,
  brandName: brand?.name ?? null,
});

function line({ at, actor, summary, removalId, undoable }: Activity): string {
  const removal = removalId ? ` (removal ${removalId}${undoable ? ', can be undone' : ''})` : '';
  return `- ${at.toISOString().slice(0, 16).replace('T', ' ')} ${actorName(actor)}: ${summary}${removal}`;
}

/** Says who can undo removals, because no tool can. */
function undoing(rows: readonly Activity[], organization: string): string[] {
  if (!rows.some(({ undoable }) => undoable)) return [];
  return [howToUndo('REMOVAL', organization)];
}

export const howToUndo = (removalId: string, organization: string) =>
  'A person can undo a removal in the account area, or an operator with ' +
  `territory-admin undo ${removalId} --org ${organization}.`;
