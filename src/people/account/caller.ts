/** The caller of a request: a key, connector, or person, with its organization and permissions. */
import type { BrandScope } from '../../base/db/tenant-role.ts';
import type { TenantDatabase } from './tenant.ts';

export type { BrandScope };

/** The key or person that made a change, or an operator, who works directly on the database */
export type Actor =
  | { kind: 'key'; /** The key's id */ id: string; name: string }
  | {
      kind: 'person';
      id: string;
      name: string;
      /** Name of the connector that acted for the person */ via?: string;
    }
  | { kind: 'operator'; id: null; name: string };

/** A person at the command line of the service */
export const OPERATOR: Actor = { kind: 'operator', id: null, name: 'territory-admin' };

/** The service itself, for what another organization's change causes. Organizations don't see each other's people. */
export const SERVICE: Actor = { kind: 'operator', id: null, name: 'The service' };

/** Returns the actor's name in the activity, such as "Pat via Claude". */
export const actorName = (actor: Actor) =>
  actor.kind === 'person' && actor.via !== undefined
    ? `${actor.name} via ${actor.via}`
    : actor.name;

export type Role = 'owner' | 'admin' | 'reviewer' | 'member';

export interface Subscription {
  status: 'trial' | 'active' | 'past_due' | 'cancelled';
  /** ISO 8601; null unless on trial */
  trialEndsAt: string | null;
  seats: number;
  monthlyUnits: number;
  /** Number of ZIP codes whose figures the organization may see each month; null: the whole country */
  monthlyZips: number | null;
  writeEntitlement: boolean;
}

export interface Caller {
  organization: { id: string; slug: string; name: string };
  /** Access to the organization's rows, within the brand scope */
  tenant: TenantDatabase;
  actor: Actor;
  /** The person's role; null for a key, which can't review */
  role: Role | null;
  subscription: Subscription;
  brandScope: BrandScope;
  /** The id by which signed URLs of pages name their signer: see `signerById` */
  signsAs: string;
  /** Whether this key or person may write, if the subscription allows it */
  mayWrite: boolean;
  /**
   * Set if the organization requires a second factor and the person has none. The person can then only set one up.
   */
  lacksSecondFactor?: true;
  /** The connector that acts for the person */
  connector?: {
    name: string;
    /** Whether the person granted it write access, regardless of their own */ mayWrite: boolean;
  };
}

declare module '../../base/contract/operation.ts' {
  interface RequestCaller extends Caller {}
}

/** Returns the caller for the log, without names, which are personal data: `{ organization: '…', key: '…' }` */
export const callerFields = ({ organization, actor }: Pick<Caller, 'organization' | 'actor'>) => ({
  organization: organization.id,
  [actor.kind]: actor.id,
});
