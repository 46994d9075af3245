/** The trail of changes. */
import { z } from 'zod';
import { actorName } from '../../account/caller.ts';
import { NextCursor, pageFields } from '../../paging.ts';
import { ACTIONS, listActivity, type Activity } from '../../territory/activity.ts';
import { brandNamed } from '../../territory/brands.ts';
import { brand } from '../fields.ts';
import { tool } from '../tool.ts';
import { andMore, counted, more } from '../../words.ts';

const action = z.enum(ACTIONS);

export const getActivity = tool({
  name: 'service_get_activity',
  title: 'Get the change trail',
  summary: 'Lists changes, the latest first: by default those of your own credential',
  description:
    'Use it to see what was done and whether a removal can still be undone. Undoing is for people.',
  units: 1,
  write: false,
  input: z.object({
    scope: z
      .enum(['own', 'organization'])
      .default('own')
      .meta({ description: 'organization: of everybody, for brands within reach' }),
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
        brand: z.string().nullable().meta({ description: 'Null: the whole organisation' }),
        action,
        summary: z.string(),
        zips: z.array(z.string()),
        removalId: z.string().nullable(),
        undoable: z.boolean(),
        before: z.looseObject({}).meta({ description: 'Status by ZIP, null: none; or weights' }),
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
      input.brand === undefined ? null : await brandNamed(tenant, brandScope, input.brand);
    const filter = {
      actorId: scope === 'own' ? (actor.id ?? undefined) : undefined,
      brandId: named?.id,
      action,
    };
    const { rows, nextCursor } = await listActivity(tenant, brandScope, filter, input);
    const own = scope === 'own' ? ` by ${actor.name}` : '';
    const text = [
      `${counted(rows.length, 'change')}${own}${andMore(nextCursor)}${rows.length > 0 ? ', the latest first:' : '.'}`,
      ...rows.map(line),
      ...undoing(rows, organization.slug),
      ...more(nextCursor),
      ...(rows.length === 0 && scope === 'own'
        ? ['With scope organization: those of everybody.']
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
});

function line({ at, actor, summary, removalId, undoable }: Activity): string {
  const removal = removalId ? ` (removal ${removalId}${undoable ? ', can be undone' : ''})` : '';
  return `- ${at.toISOString().slice(0, 16).replace('T', ' ')} ${actorName(actor)}: ${summary}${removal}`;
}

/** No tool undoes a removal: who can, and how. */
function undoing(rows: readonly Activity[], organization: string): string[] {
  if (!rows.some(({ undoable }) => undoable)) return [];
  return [howToUndo('REMOVAL', organization)];
}

export const howToUndo = (removalId: string, organization: string) =>
  'A person can undo a removal in the account area, or an operator with ' +
  `territory-admin undo ${removalId} --org ${organization}.`;
