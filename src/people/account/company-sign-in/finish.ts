/** Finishes a sign-in at the provider: checks the answer, and finds or creates the person. */
import type { Queryable } from '../../../base/db/database.ts';
import type { Transaction } from '../../../base/db/transaction.ts';
import { tally } from '../../../base/observe/tally.ts';
import { acceptByHash } from '../invitations.ts';
import { addMember, grantMember, recordJoining } from '../members.ts';
import { CONFIRMED_MINUTES } from '../sessions.ts';
import { tenantIn, tenantOf } from '../tenant.ts';
import { grantOf, type Grant } from './claim-grants.ts';
import { accountOf, refusal, type CompanyAccount } from './account-claims.ts';
import { noCompanySignIn, takeAttempt, type Attempt } from './attempts.ts';
import { heldDomains } from './domains.ts';
import { addGrant } from './grants.ts';
import type { CompanyParts } from './parts.ts';
import { asServiceError, ProviderFailure } from './provider-failure.ts';
import { connectToProvider, redeemAnswer, type SignedIn } from './provider.ts';
import { findCompanySignIn, providerClientOf, recordProblem } from './settings.ts';

interface FinishedSignIn {
  person: { id: string; name: string; email: string };
  /** The sign-in at the provider, which the new session depends on */
  companyGrant: string;
  /** Whether the person has just proved their identity at the provider, instead of being still signed in there */
  isConfirmed: boolean;
  /** Whether the person became a member */
  joined: boolean;
  /** The page that the person asked for, or an empty string */
  next: string;
}

/**
 * @param answer the address to which the provider sent the browser
 * @param secret value of the browser's cookie
 * @throws ServiceError 400 if the answer doesn't fit the sign-in that this browser started; 403 if the account may not
 *   sign in; 402 without a free seat; 503 if the provider can't be reached
 */
export async function finishCompanySignIn(
  parts: CompanyParts,
  organizationId: string,
  answer: URL,
  secret: string | undefined,
): Promise<FinishedSignIn> {
  const { db, log } = parts;
  const attempt = await takeAttempt(db, organizationId, secret);
  try {
    const finished = await finish(parts, organizationId, answer, attempt);
    tally.companySignIns.completed++;
    const { person, joined } = finished;
    const who = { organization: organizationId, person: person.id, joined };
    log.info(who, 'signed in by company account');
    return finished;
  } catch (error) {
    const isAway = error instanceof ProviderFailure && error.kind === 'away';
    tally.companySignIns[isAway ? 'failed' : 'refused']++;
    log.warn({ organization: organizationId, err: error }, 'a company sign-in failed');
    if (!(error instanceof ProviderFailure)) throw error;
    // Anyone can come back without a code, or with a wrong one. Other failures need an owner.
    if (error.kind !== 'denied' && error.kind !== 'gone') {
      await recordProblem(tenantOf(db, organizationId), error.message);
    }
    throw asServiceError(error);
  }
}

async function finish(
  { db, fetch, secrets }: CompanyParts,
  organizationId: string,
  answer: URL,
  attempt: Attempt,
): Promise<FinishedSignIn> {
  const tenant = tenantOf(db, organizationId);
  const [client, settings] = await Promise.all([
    providerClientOf(tenant, secrets),
    findCompanySignIn(tenant),
  ]);
  if (!client || !settings) throw noCompanySignIn();
  const config = await connectToProvider(client, fetch);
  const signedIn: SignedIn = await redeemAnswer(config, answer, attempt, settings.claim);
  const domains = heldDomains(settings.domains);
  if (domains.length === 0) throw noDomain();
  const account = accountOf(signedIn.claims, domains);
  const isConfirmed = isRecent(signedIn.claims.auth_time);
  const { invitationHash, next } = attempt;
  await recordProblem(tenant, null);
  return db.transaction(async (tx) => {
    const way = { grant: grantOf(settings, signedIn.claims), invitationHash };
    const { person, joined } = await memberFor(tx, organizationId, account, way);
    const inside = tenantIn(tx, organizationId);
    // The provider's groups decide at each sign-in. They replace changes that were made here.
    if (settings.claim !== null && way.grant && !joined)
      await grantMember(inside, person, way.grant);
    const { issuer, subject, providerSession } = account;
    await inside.query(
      `insert into company_identities (organization_id, issuer, subject, person_id)
       values ($1, $2, $3, $4)
       on conflict (organization_id, issuer, subject)
         do update set last_sign_in_at = now(), ended_at = null`,
      [issuer, subject, person.id],
    );
    const { refreshToken } = signedIn;
    const grant = { personId: person.id, issuer, subject, providerSession, refreshToken };
    const companyGrant = await addGrant(inside, secrets, grant);
    return { person, companyGrant, isConfirmed, joined, next };
  });
}

const noDomain = () =>
  refusal(
    'None of the organization’s email domains is proved yet, so its provider can’t sign anybody in. An ' +
      'owner proves them on the page Company sign-in.',
  );

/**
 * Whether the person proved their identity within the time in which people may change who has access. Providers that
 * don't say when, such as Google, are believed: then the browser was at least signed in there.
 */
const isRecent = (provedAt: unknown): boolean =>
  typeof provedAt !== 'number' || provedAt > Date.now() / 1000 - CONFIRMED_MINUTES * 60;

interface Found {
  personId: string;
  name: string;
  email: string;
  isMember: boolean;
}

/** How a person who isn't a member may become one */
interface WayIn {
  /** What the provider's claim or the default gives; null: only an invitation lets in */
  grant: Grant | null;
  invitationHash: Buffer | null;
}

/**
 * Returns the member for an account: the person with whom it signed in before, otherwise the person with its email
 * address, otherwise a new one.
 * @throws ServiceError 403 if the person may not join; 402, 404, 409 as `addMember` and `acceptInvitation`
 */
async function memberFor(
  tx: Transaction,
  organizationId: string,
  account: CompanyAccount,
  { grant, invitationHash }: WayIn,
): Promise<Pick<FinishedSignIn, 'person' | 'joined'>> {
  const known = await findByIdentity(tx, organizationId, account);
  const person = known ?? (await findByEmail(tx, organizationId, account));
  const { email, name } = person ?? account;
  if (person?.isMember) return { person: { id: person.personId, name, email }, joined: false };
  if (invitationHash) {
    const joining = person ?? { email, name, hash: null };
    const { personId } = await acceptByHash(tx, invitationHash, joining, organizationId);
    return { person: { id: personId, name, email }, joined: true };
  }
  if (known) {
    throw refusal(
      'You were removed from this organization. Ask one of its owners for an invitation.',
    );
  }
  if (grant === null) {
    throw refusal(
      `${email} isn’t a member of this organization yet. Ask one of its owners for an invitation.`,
    );
  }
  const member = { email, name, ...grant };
  const inside = tenantIn(tx, organizationId);
  const { id } = await addMember(inside, member);
  recordJoining(inside, member, { kind: 'person', id, name });
  return { person: { id, name, email }, joined: true };
}

const FOUND = `people.id as "personId", people.name, people.email, exists (
    select from memberships m where m.organization_id = $1 and m.person_id = people.id
  ) as "isMember"`;

async function findByIdentity(
  tx: Queryable,
  organizationId: string,
  { issuer, subject }: CompanyAccount,
): Promise<Found | undefined> {
  const [found] = await tx.query<Found & Record<string, unknown>>(
    `select ${FOUND} from company_identities i join people on people.id = i.person_id
     where i.organization_id = $1 and i.issuer = $2 and i.subject = $3`,
    [organizationId, issuer, subject],
  );
  return found;
}

/**
 * Finds the person with the account's email address, unless someone else may be able to sign in as that person:
 * - Companies give the address of someone who left to someone new. So if a member has signed in with another account of
 *   the provider, the address alone doesn't let the new account in.
 * - Someone else may have chosen the account's password: the former owner of the address, or a stranger if the address
 *   was never confirmed. That password would open the organization.
 * @throws ServiceError 403
 */
async function findByEmail(
  tx: Queryable,
  organizationId: string,
  { issuer, email }: CompanyAccount,
): Promise<Found | undefined> {
  const [found] = await tx.query<Found & { hasOther: boolean; isOpenToOthers: boolean }>(
    `select ${FOUND}, other.at is not null as "hasOther",
       (password_hash is not null or exists (select from passkeys k where k.person_id = people.id))
         and (email_confirmed_at is null or email_confirmed_at < other.at) is true as "isOpenToOthers"
     from people left join lateral (
       select max(last_sign_in_at) as at from company_identities i
       where i.organization_id = $1 and i.person_id = people.id and i.issuer = $3
     ) other on true
     where lower(email) = lower($2)`,
    [organizationId, email, issuer],
  );
  if (found?.isMember && found.hasOther) {
    throw refusal(
      `Another account of the provider already signs in as ${email}. Ask an owner to remove that member ` +
        'and to invite you.',
    );
  }
  if (found && !found.isMember && found.isOpenToOthers) {
    throw refusal(
      `There is already an account with the address ${email}, and someone else may know its password. ` +
        'Choose a new one with “Forgot your password?”, or with a link from the operator of this ' +
        'service. Then sign in at your company again.',
    );
  }
  return found;
}
