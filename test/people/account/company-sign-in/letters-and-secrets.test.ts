/** Emails about company sign-in, and the encryption of its secrets. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  COMPANY_SECRETS,
  companySecretBox,
} from '../../../../src/people/account/company-sign-in/parts.ts';
import {
  providerClientOf,
  requireCompanySignIn,
  saveCompanySignIn,
} from '../../../../src/people/account/company-sign-in/settings.ts';
import { accountWriters } from '../../../../src/people/account/letters/compose.ts';
import { encryptStored } from '../../../../src/people/account/stored-secrets.ts';
import { addMember } from '../../../../src/people/account/members.ts';
import { testDatabase } from '../../../support/database.ts';
import { operatorOf } from '../../../support/company.ts';
import { newOrganization } from '../organizations.ts';

const { db } = await testDatabase('empty');
const writers = accountWriters(db, (path) => `https://territory.example${path}`);
const write = ({ kind, recipient, data }: Queued) => writers[kind]!(recipient, data);

interface Queued {
  kind: string;
  recipient: string;
  data: Record<string, unknown>;
}

async function newSetUp(secrets = companySecretBox([])) {
  const { organization, tenant } = await newOrganization(db);
  const email = `olive@${organization.slug}.example`;
  const owner = await addMember(tenant, { email, name: 'Olive', role: 'owner' });
  const domains = [`${organization.slug}.example`];
  const settings = {
    issuer: 'https://login.example',
    clientId: 'c',
    clientSecret: 'open sesame',
    domains,
    vouched: domains,
    defaultRole: null,
  };
  const editor = { ...operatorOf(organization), sendsMail: true };
  await saveCompanySignIn(db, tenant, secrets, settings, editor);
  return { organization, tenant, owner, editor };
}

const mailsTo = (recipient: string) =>
  db.query<Queued & Record<string, unknown>>(
    'select kind, recipient, data from outbox where recipient = $1 order by id',
    [recipient],
  );

it('alerts owners to each change', async () => {
  const { organization, tenant, owner, editor } = await newSetUp();
  await db.query(`update people set password_hash = 'x' where id = $1`, [owner.id]);
  const rule = { required: 'all-but-one', passwordOwner: owner.email } as const;
  await requireCompanySignIn(db, tenant, rule, editor);
  const letters = await Promise.all((await mailsTo(owner.email)).map(write));
  expect(letters.map((each) => each!.letter.paragraphs[1])).toEqual(
    expect.arrayContaining([
      expect.stringContaining(
        `An operator changed the provider, the email domains, or the role of new people of the company ` +
          `sign-in of ${organization.name}.`,
      ),
      expect.stringContaining(
        `An operator made company sign-in required for ${organization.name}.`,
      ),
    ]),
  );
});

it('tells people who ask for a new password to use their company account instead', async () => {
  const { tenant, owner, editor } = await newSetUp();
  const { email } = await addMember(tenant, {
    email: `max@${owner.email.split('@')[1]}`,
    name: 'Max',
    role: 'member',
  });
  const asked = { kind: 'password', recipient: email.toUpperCase(), data: {} };
  expect((await write(asked))!.letter.subject).toBe('Choose a new password');
  await db.query(`update people set password_hash = 'x' where id = $1`, [owner.id]);
  const rule = { required: 'all-but-one', passwordOwner: owner.email } as const;
  await requireCompanySignIn(db, tenant, rule, editor);
  const { letter, recipient } = (await write(asked))!;
  expect(recipient).toBe(email);
  expect(letter.subject).toBe('Sign in with your company account');
  expect(letter.link!.url).toBe('https://territory.example/login');
});

it('encrypts client secrets that were stored without a key, or with an older one', async () => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const plain = await newSetUp();
  const older = await newSetUp(companySecretBox([old]));
  const secrets = companySecretBox([current, old]);
  for (const column of COMPANY_SECRETS) await encryptStored(db, column, secrets);
  for (const { tenant } of [plain, older]) {
    const [{ stored } = { stored: '' }] = await tenant.query<{ stored: string }>(
      'select client_secret as stored from company_sign_ins where organization_id = $1',
    );
    expect(stored.startsWith(secrets.prefix)).toBe(true);
    const client = await providerClientOf(tenant, companySecretBox([current]));
    expect(client).toMatchObject({ clientSecret: 'open sesame' });
  }
});
