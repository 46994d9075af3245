/** Who asks, for which organisation, and what they may do: the same for every door. */
import type { TenantDatabase } from './tenant.ts';

/** Who did something, as kept in the trail. An operator works on the database itself. */
export type Actor =
  | { kind: 'key'; /** Of the key */ id: string; name: string }
  | {
      kind: 'person';
      id: string;
      name: string;
      /** The connector that acted for them */ via?: string;
    }
  | { kind: 'operator'; id: null; name: string };

/** As the trail tells it: "Pat via Claude". */
export const actorName = (actor: Actor) =>
  actor.kind === 'person' && actor.via !== undefined
    ? `${actor.name} via ${actor.via}`
    : actor.name;

export type Role = 'owner' | 'admin' | 'reviewer' | 'member';

export interface Plan {
  status: 'trial' | 'active' | 'past_due' | 'cancelled';
  /** ISO 8601; null unless on trial */
  trialEndsAt: string | null;
  seats: number;
  monthlyUnits: number;
  writeEntitlement: boolean;
}

/** Ids of the brands, or all of the organisation's, also those to come. */
export type BrandScope = 'all' | ReadonlySet<string>;

export interface Caller {
  organization: { id: string; slug: string; name: string };
  /** The organisation's rows */
  tenant: TenantDatabase;
  actor: Actor;
  /** Of the person; null for a key, which reviews nothing */
  role: Role | null;
  plan: Plan;
  brandScope: BrandScope;
  /** Whether this key or person may write, apart from the plan's entitlement */
  mayWrite: boolean;
  /** Present where a connector acts for the person */
  connector?: {
    name: string;
    /** What the person granted it, whatever they may do themselves */ mayWrite: boolean;
  };
}
