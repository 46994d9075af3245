/** Email of the running service, while processes and the SMTP server fail. */
import { expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { startService } from '../support/processes.ts';
import { startSmtp, waitFor } from '../support/servers/smtp.ts';
import { PASSWORD, Visitor } from '../support/visitor.ts';

const { env } = await testDatabase('empty');

it('survives an outage of the SMTP server and the death of the process', async () => {
  const outage = await startSmtp();
  await outage.stop();
  const settings = {
    ...env,
    SAMPLE_DATA: 'never',
    SMTP_URL: outage.url,
    MAIL_FROM: 'Territory <territory@example.com>',
  };
  const service = await startService(settings);
  const pat = new Visitor(service.url);
  const fields = { organization: 'Best Roofs', name: 'Pat', email: pat.email, password: PASSWORD };
  expect((await pat.post('/signup', fields)).html).toContain('Check your email');
  await waitFor(() => service.output().includes('an email was not sent') || undefined);
  expect(service.output()).toContain('ECONNREFUSED');
  await service.stop('SIGKILL');

  const smtp = await startSmtp({}, outage.port);
  const services = [await startService(settings), await startService(settings)] as const;
  const mail = await smtp.arrived(1);
  expect(mail).toMatchObject({ to: pat.email, from: 'territory@example.com' });
  const { pathname, port } = new URL(mail.links[0]!);
  expect(services.map(({ url }) => new URL(url).port)).toContain(port);
  const back = new Visitor(services[1].url);
  expect((await back.post(pathname, { password: PASSWORD })).status).toBe(303);
  expect((await back.get('/account')).status).toBe(200);

  // Each message is sent by one of the processes.
  const people = Array.from({ length: 6 }, () => new Visitor(services[0].url));
  for (const one of people) await one.post('/signup', { ...fields, email: one.email });
  await smtp.arrived(7);
  expect(new Set(smtp.received.map(({ to }) => to)).size).toBe(7);

  for (const running of services) {
    expect(await running.stop()).toBe(0);
    expect(running.output()).not.toMatch(/svc_signup_\w/);
  }
  expect(smtp.received).toHaveLength(7);
});

it('doesn’t start without a sender', async () => {
  const started = startService({ ...env, SMTP_URL: 'smtp://localhost' });
  await expect(started).rejects.toThrow('MAIL_FROM must be a sender such as');
});
