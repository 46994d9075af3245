/** Emails about changes that a person should know of, through a real SMTP server. */
import { expect, it } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { serveMailing } from '../../support/mailing-app.ts';
import { oneTimeCode } from '../../support/one-time-code.ts';
import type { ReceivedMail } from '../../support/servers/smtp.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('empty');
const { site, smtp, mailTo, allSent } = await serveMailing(db);

/** The subjects of all messages to a person, when no more are waiting */
async function subjectsTo({ email }: Visitor) {
  await allSent();
  const isTheirs = ({ to }: ReceivedMail) => to === email;
  const mails = smtp.received.filter(isTheirs);
  for (const mail of mails) smtp.received.splice(smtp.received.indexOf(mail), 1);
  return mails.map(({ headers }) => headers['subject']);
}

async function newResident(): Promise<Visitor> {
  const pat = new Visitor(site);
  const { email } = pat;
  await pat.post('/signup', { organization: 'Best Roofs', name: 'Pat', email, password: PASSWORD });
  const { links } = await mailTo(pat);
  await pat.post(links[0]!.slice(site.length), { password: PASSWORD });
  return pat;
}

async function withApp(pat: Visitor) {
  const { html } = await pat.get('/account/second-factor/app');
  const secret = /id="app-secret"[^>]*value="([A-Z2-7]+)"/.exec(html)![1]!;
  const shown = await pat.post('/account/second-factor/app', { code: oneTimeCode(secret) });
  return { secret, codes: shown.html.match(/\b([0-9a-z]{4}-){3}[0-9a-z]{4}\b/g)! };
}

it('emails a person about a sign-in with another browser, but not with a known one', async () => {
  const pat = await newResident();
  await pat.post('/logout');
  await pat.signIn();
  expect(await subjectsTo(pat)).toEqual([]);
  await new Visitor(site).signIn(pat.email);
  expect(await subjectsTo(pat)).toEqual(['New sign-in to your account']);
});

it('emails a person about a changed password and second factor, and a used recovery code', async () => {
  const pat = await newResident();
  const next = 'another four words';
  await pat.post('/account/password', { current: PASSWORD, next });
  expect(await subjectsTo(pat)).toEqual(['Your password was changed']);
  const { codes } = await withApp(pat);
  expect(await subjectsTo(pat)).toEqual(['Second factor turned on']);
  await pat.post('/logout');
  await pat.signIn(undefined, next);
  await pat.post('/login/second-factor', { code: codes[0]! });
  expect(await subjectsTo(pat)).toEqual(['A recovery code was used']);
  await pat.post('/account/second-factor/app/remove');
  expect(await subjectsTo(pat)).toEqual(['Second factor turned off']);
});
