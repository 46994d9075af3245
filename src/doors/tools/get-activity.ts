import { z } from 'zod';
import { actorName, type Caller } from '../../people/account/caller.ts';
import { badRequest, notFound } from '../../errors.ts';
import { NextCursor, pageFields } from '../../base/contract/paging.ts';
import { ACTIONS, type Action } from '../../people/account/activity.ts';
import {
  activityTotals,
  listActivity,
  type Activity,
  type ActivityTotal,
} from '../../territories/brands/activity.ts';
import { listActivityActors } from '../../territories/brands/activity-log.ts';
import { actorKey } from '../../territories/brands/actor-key.ts';
import { findBrand } from '../../territories/brands/brands.ts';
import { brand, remark } from './support/fields.ts';
import { moment } from './support/moment.ts';
import { tool } from './tool.ts';
import { joinFirst, moreSuffix, nextPageLine, pluralize, truncate } from '../../base/text/words.ts';

/** An open text, because the list of all actions would take a tenth of the listing's tokens. */
const action = z.string();

export const getActivity = tool({
  name: 'service_get_activity',
  title: 'Get activity',
  summary: 'List changes, newest first. Default: only changes made with your credential',
  description:
    'Use since 7d for the changes of a week. Shows whether a removal can still be undone. Only people ' +
    'can undo.',
  units: 1,
  write: false,
  input: z.object({
    scope: z
      .enum(['own', 'organization'])
      .default('own')
      .meta({
        description:
          'own: changes with this credential; organization: changes by anyone to brands in scope',
      }),
    actor: remark.min(1).optional().meta({ description: 'By this person or key: name or id' }),
    brand: brand.optional(),
    action: action.optional().meta({ description: 'Such as territory_removed' }),
    since: moment('start')
      .optional()
      .meta({ description: 'Day, time, or days ago: 7d. Adds totals' }),
    until: moment('end').optional().meta({ description: 'Includes a whole day' }),
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
    totals: z
      .array(
        z.object({
          brand: z.string().nullable(),
          brandName: z.string().nullable(),
          action,
          changes: z.int(),
          zips: z.int(),
        }),
      )
      .optional(),
    nextCursor: NextCursor,
  }),
  example: { scope: 'organization' },
  async handle(input, { caller }) {
    const { tenant, brandScope, organization } = caller;
    const named =
      input.brand === undefined ? null : await findBrand(tenant, brandScope, input.brand);
    const by = await actorOf(input, caller);
    const { since, until, action } = input;
    if (since && until && since >= until)
      throw badRequest('since must be before until. Swap them, or omit one.');
    const actions = action === undefined ? undefined : [knownAction(action)];
    const filter = { actor: by?.key, brandId: named?.id, actions, from: since, until };
    const { rows, nextCursor } = await listActivity(tenant, brandScope, filter, input);
    const totals = since && (await activityTotals(tenant, brandScope, filter)).map(totalData);
    const which = (by ? ` by ${by.name}` : '') + periodText(input);
    const text = [
      `${pluralize(rows.length, 'change')}${which}${moreSuffix(nextCursor)}${rows.length > 0 ? ', newest first:' : '.'}`,
      ...rows.map(line),
      ...(totals ?? []).map(totalLine),
      ...undoHint(rows, organization.slug),
      ...nextPageLine(nextCursor),
      ...(input.scope === 'own' && input.actor === undefined
        ? ['For changes by everyone, use scope organization.']
        : []),
    ].join('\n');
    return { data: { entries: rows.map(entryData), ...(totals && { totals }), nextCursor }, text };
  },
});

/** @throws ServiceError 400 that lists the actions */
function knownAction(text: string): Action {
  const known = ACTIONS.find((one) => one === text);
  if (known) return known;
  throw badRequest(`action must be one of ${ACTIONS.join(', ')}.`);
}

/** Returns the actor whose changes are requested; null for everyone. */
async function actorOf(
  { actor, scope }: { actor?: string | undefined; scope: 'own' | 'organization' },
  caller: Caller,
): Promise<{ key: string; name: string } | null> {
  if (actor !== undefined) return findActor(caller, actor);
  return scope === 'own' ? { key: actorKey(caller.actor), name: caller.actor.name } : null;
}

/** Finds an actor by name or id. @throws ServiceError 404 for an unknown actor; 400 if several have the name */
async function findActor(
  { tenant, brandScope }: Caller,
  text: string,
): Promise<{ key: string; name: string }> {
  const actors = await listActivityActors(tenant);
  const wanted = text.toLowerCase();
  const found = actors.filter(
    (one) => actorKey(one).toLowerCase() === wanted || one.name.toLowerCase() === wanted,
  );
  const [only] = found;
  if (only && found.length === 1) return { key: actorKey(only), name: only.name };
  if (only) {
    const ids = found.map((one) => `${actorKey(one)} (${one.kind})`).join(', ');
    throw badRequest(`Several actors are named ${only.name}. Give one of these ids: ${ids}.`);
  }
  // With a limited scope, some actors may have changed only brands outside it, so none are named.
  const names = brandScope === 'all' ? actors.map(({ name }) => name) : [];
  const known = names.length > 0 ? ` Actors with changes: ${joinFirst(names)}.` : '';
  throw notFound(`${truncate(JSON.stringify(text), 60)} has made no changes.${known}`);
}

const totalData = ({ brand, ...total }: ActivityTotal) => ({
  brand: brand?.slug ?? null,
  brandName: brand?.name ?? null,
  ...total,
});

const totalLine = ({ brandName, action, changes, zips }: ReturnType<typeof totalData>) =>
  `Total: ${brandName ?? 'the organization'}, ${action}: ${pluralize(changes, 'change')}, ` +
  `${pluralize(zips, 'ZIP code')}.`;

const minuteText = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

const periodText = ({ since, until }: { since?: Date | undefined; until?: Date | undefined }) =>
  (since ? ` since ${minuteText(since)}` : '') + (until ? ` until ${minuteText(until)}` : '');

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
  return `- ${minuteText(at)} ${actorName(actor)}: ${summary}${removal}`;
}

/** Explains how a person can undo removals, because no tool can. */
function undoHint(rows: readonly Activity[], organization: string): string[] {
  if (!rows.some(({ undoable }) => undoable)) return [];
  return [howToUndo('REMOVAL', organization)];
}

export const howToUndo = (removalId: string, organization: string) =>
  'A person can undo a removal in the account area, or an operator with ' +
  `territory-admin undo ${removalId} --org ${organization}.`;
