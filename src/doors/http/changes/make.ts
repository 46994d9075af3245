/** Makes changes, or previews them. */
import type { z } from 'zod';
import { badRequest } from '../../../errors.ts';
import type { Caller } from '../../../people/account/caller.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { heldZipStatuses } from '../../../territories/brands/brand-zips.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import {
  changeBrands,
  type MadeChange,
} from '../../../territories/brands/changes/change-brands.ts';
import {
  passingRefusal,
  previewChange,
  type BrandChange,
  type ChangeEffect,
} from '../../../territories/brands/changes/preview.ts';
import { changeDay } from '../../../territories/brands/changes/day.ts';
import { findChange, type ChangeSource } from '../../../territories/brands/changes/read.ts';
import { formatDay } from '../../../territories/brands/groups/refusal-words.ts';
import { changeBody, type MadeChangeBody } from './schema.ts';

interface Wish {
  changes: readonly { brand: string; add: readonly string[]; remove: readonly string[] }[];
  on?: string | undefined;
  note?: string | undefined;
  confirm: boolean;
}

/**
 * Makes a change, or returns what it would do.
 * @throws ServiceError 404 for unknown brands; otherwise as `changeBrands` and `changeDay`
 */
export async function makeChange(
  caller: Caller,
  source: ChangeSource,
  { changes: wished, on: day, note, confirm }: Wish,
): Promise<z.output<typeof MadeChangeBody>> {
  const { tenant, actor, brandScope } = caller;
  const changes = await namedChanges(caller, wished);
  const on = day === undefined ? null : await changeDay(tenant, day);
  const effect = await previewChange(tenant, actor, changes, { on });
  const brands = await brandBodies(tenant, effect);
  const common = { needsReview: effect.needsReview, on: effect.on, brands };
  if (!confirm) {
    const refusal = passingRefusal(changes, effect);
    const next =
      refusal === null
        ? 'To make the change, send the same request with "confirm": true.'
        : `This request would fail with "confirm": true. ${refusal}`;
    return { status: 'preview', next, change: null, ...common };
  }
  const made = await tenant.transaction((tx) =>
    changeBrands(tx, actor, changes, { source, note, on }),
  );
  const change =
    made.id === null ? null : changeBody(await findChange(tenant, brandScope, made.id));
  return { status: 'made', next: nextStep(made), change, ...common };
}

async function namedChanges(
  { tenant, brandScope }: Caller,
  wished: Wish['changes'],
): Promise<BrandChange[]> {
  const changes: BrandChange[] = [];
  for (const { brand, add, remove } of wished) {
    const both = add.filter((zip) => remove.includes(zip));
    if (both.length > 0) {
      throw badRequest(`${both[0]!} is both to be added and removed. Name it once for a brand.`);
    }
    changes.push({
      brand: await findBrand(tenant, brandScope, brand),
      added: add,
      removed: remove,
    });
  }
  if (new Set(changes.map(({ brand }) => brand.id)).size < changes.length) {
    throw badRequest('A brand is named twice. Give all of its ZIP codes in one entry.');
  }
  return changes;
}

async function brandBodies(tenant: Tenant, { parts }: ChangeEffect) {
  const bodies: z.output<typeof MadeChangeBody>['brands'] = [];
  for (const { brand, requested, removed } of parts) {
    const statuses = await heldZipStatuses(tenant, brand);
    const live = [...statuses.values()].filter((status) => status === 'live').length;
    const added = requested?.queued ?? [];
    const given = removed?.live ?? [];
    bodies.push({
      brand: brand.slug,
      brandName: brand.name,
      added,
      removed: [...given, ...(removed?.pending ?? [])].sort(),
      liveBefore: live,
      liveAfter: live + added.length - given.length,
      shared: requested?.shared ?? [],
      already: [...(requested?.alreadyLive ?? []), ...(requested?.alreadyPending ?? [])].sort(),
      refused: [
        ...(requested?.unknownReasons ?? []).map(({ reason, zips }) => ({
          reason,
          zips: [...zips],
        })),
        ...(requested?.refusedReasons ?? []),
        ...reasonFor('not held by the brand', removed?.notHeld),
        ...reasonFor(
          'part of another change that waits',
          removed &&
            [...removed.inChange, ...removed.leaving].filter((zip) => !given.includes(zip)),
        ),
      ],
    });
  }
  return bodies;
}

const reasonFor = (reason: string, zips: readonly string[] | null | undefined) =>
  zips && zips.length > 0 ? [{ reason, zips: [...zips].sort() }] : [];

function nextStep({ id, status, on }: MadeChange): string {
  if (id === null) {
    return status === 'waiting'
      ? 'A reviewer decides on the request.'
      : 'The change is live. A removal can be undone on the page of the brand.';
  }
  if (status === 'live') return 'The change is live. It can be undone as one.';
  const day = on === null ? null : formatDay(on);
  return status === 'scheduled'
    ? `It goes live on ${day!}. Until then, it can be moved or withdrawn.`
    : `A reviewer decides on it as one. ${day === null ? 'It goes live when it’s approved.' : `Once approved, it goes live on ${day}.`}`;
}
