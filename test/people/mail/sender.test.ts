/** Sends from the outbox to real SMTP servers, including failing ones. */
import { beforeEach, describe, expect, it } from 'vitest';
import { queueMail } from '../../../src/people/mail/outbox.ts';
import { startSender, type Writer } from '../../../src/people/mail/sender.ts';
import { smtpAt } from '../../../src/people/mail/smtp.ts';
import { localCertificate } from '../../support/servers/certificate.ts';
import { testDatabase } from '../../support/database.ts';
import { testLog } from '../../support/log.ts';
import { startRawServer, startSmtp, waitFor } from '../../support/servers/smtp.ts';

const { db } = await testDatabase('empty');
beforeEach(() => db.query('delete from outbox'));

const FROM = 'Territory <territory@example.com>';
const LIMITS = { connect: 500, silence: 500, send: 1_500 };
const PAUSE = { first: 50, last: 200 };

const test: Writer = async (recipient, data) => {
  const paragraphs = ['Hello Zoë,', String(data.text)];
  return { letter: { subject: 'Größe “M”', paragraphs, notes: [] }, recipient };
};

const writers = {
  test,
  nothing: async () => null,
  broken: () => Promise.reject(new Error('a mistake of ours')),
};

const queue = (recipient: string, { kind = 'test', hours = 1 } = {}) =>
  queueMail(db, { kind, recipient, data: { text: `To ${recipient}` }, hours });

/** Sends until `work` ends. @returns what was logged */
async function runSender<T>(url: string, work: (log: () => string) => Promise<T>): Promise<T> {
  let lines = '';
  const log = testLog((line) => (lines += line));
  const smtp = smtpAt(url, FROM, LIMITS);
  const sender = startSender({ db, smtp, writers, log, sender: 'Territory' }, PAUSE);
  try {
    return await work(() => lines);
  } finally {
    await sender.close();
  }
}

interface Row {
  outcome: string | null;
  attempts: number;
  problem: string | null;
}

/** Waits until a message looks like this. */
const waitForRow = (wanted: (row: Row) => boolean) =>
  waitFor(async () => {
    const [row] = await db.query<Row>('select outcome, attempts, problem from outbox');
    return row && wanted(row) ? row : undefined;
  });
const waitUntilDone = () => waitForRow(({ outcome }) => outcome !== null);
const waitUntilFailedTwice = () =>
  waitForRow(({ attempts, problem }) => attempts >= 2 && problem !== null);

describe('sending', () => {
  it('delivers text and HTML with the required headers', async () => {
    const smtp = await startSmtp();
    await queue('pat@example.com');
    const mail = await runSender(smtp.url, () => smtp.arrived(1));
    expect(mail).toMatchObject({ to: 'pat@example.com', from: 'territory@example.com' });
    expect(mail.text).toBe('Hello Zoë,\n\nTo pat@example.com\n\n-- \nTerritory\n');
    expect(mail.html).toContain('>Hello Zoë,</p>');
    expect(mail.headers).toMatchObject({
      from: FROM,
      to: 'pat@example.com',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@example\.com>$/),
    });
    expect(await waitUntilDone()).toEqual({ outcome: 'sent', attempts: 1, problem: null });
  });

  it('sends each message once, by several processes', async () => {
    const smtp = await startSmtp();
    for (let i = 0; i < 30; i++) await queue(`pat${i}@example.com`);
    await runSender(smtp.url, () =>
      runSender(smtp.url, () => runSender(smtp.url, () => smtp.arrived(30))),
    );
    expect(new Set(smtp.received.map(({ to }) => to)).size).toBe(30);
    expect(smtp.received).toHaveLength(30);
  });

  it('sends nothing if a message has become obsolete', async () => {
    const smtp = await startSmtp();
    await queue('pat@example.com', { kind: 'nothing' });
    const row = await runSender(smtp.url, waitUntilDone);
    expect(row).toMatchObject({ outcome: 'dropped' });
    expect(smtp.received).toEqual([]);
  });

  it('gives up on a message once it is useless', async () => {
    const smtp = await startSmtp();
    await queue('pat@example.com', { hours: 0 });
    const log = await runSender(smtp.url, async (log) => {
      expect(await waitUntilDone()).toMatchObject({ outcome: 'expired' });
      return log();
    });
    expect(log).toContain('gave up on an email');
    expect(smtp.received).toEqual([]);
  });

  it('keeps a message that can’t be written, and sends the others', async () => {
    const smtp = await startSmtp();
    await queue('pat@example.com', { kind: 'broken' });
    await queue('sam@example.com');
    const log = await runSender(smtp.url, async (log) => {
      await smtp.arrived(1);
      return log();
    });
    expect(log).toContain('a mistake of ours');
    const [broken] = await db.query(`select outcome, problem from outbox where kind = 'broken'`);
    expect(broken).toEqual({ outcome: null, problem: 'The message could not be written' });
  });
});

describe('a server that fails', () => {
  it('is tried again after it refused connections, and nothing is lost', async () => {
    const stopped = await startSmtp();
    await stopped.stop();
    for (const name of ['pat', 'sam', 'ann']) await queue(`${name}@example.com`);
    const back = await runSender(stopped.url, async (log) => {
      await waitFor(() => (log().split('was not sent').length > 3 ? true : undefined));
      expect(log()).toContain('ECONNREFUSED');
      const smtp = await startSmtp({}, stopped.port);
      await smtp.arrived(3);
      return smtp;
    });
    expect(back.received.map(({ to }) => to).toSorted()).toEqual([
      'ann@example.com',
      'pat@example.com',
      'sam@example.com',
    ]);
  });

  it('refuses one recipient permanently, and the others get their messages', async () => {
    const smtp = await startSmtp();
    smtp.onRecipient = (address) =>
      address.startsWith('gone') ? { code: 550, message: 'no such mailbox' } : null;
    await queue('gone@example.com');
    await queue('pat@example.com');
    await runSender(smtp.url, () => smtp.arrived(1));
    const rows = await db.query(
      'select recipient, outcome, attempts from outbox order by recipient',
    );
    expect(rows).toMatchObject([
      { recipient: 'gone@example.com', outcome: 'refused', attempts: 1 },
      { recipient: 'pat@example.com', attempts: 1 },
    ]);
  });

  it('refuses the text permanently', async () => {
    const smtp = await startSmtp();
    smtp.onText = () => ({ code: 554, message: 'looks like spam' });
    await queue('pat@example.com');
    const row = await runSender(smtp.url, waitUntilDone);
    expect(row).toMatchObject({ outcome: 'refused', attempts: 1 });
    expect(row.problem).toContain('554 looks like spam');
  });

  it.each([
    ['recipient', 'onRecipient', 450],
    ['text', 'onText', 452],
  ] as const)('refuses the %s for now: it is tried again', async (_what, step, code) => {
    const smtp = await startSmtp();
    smtp[step] = () => ({ code, message: 'try later' });
    await queue('pat@example.com');
    await queue('sam@example.com');
    await runSender(smtp.url, () =>
      waitFor(async () => {
        const rows = await db.query<Row>('select outcome, attempts, problem from outbox');
        return rows.every(({ problem }) => problem?.includes('try later')) ? true : undefined;
      }),
    );
    smtp[step] = () => null;
    await db.query('update outbox set due_at = now()');
    await runSender(smtp.url, () => smtp.arrived(2));
    expect(smtp.received).toHaveLength(2);
  });

  it.each([
    ['shuts down', 421],
    ['requires TLS', 530],
    ['refuses the sender', 553],
  ])('%s: no message is given up', async (_what, code) => {
    const smtp = await startSmtp();
    smtp.onSender = () => ({ code, message: 'not now' });
    await queue('pat@example.com');
    await runSender(smtp.url, async () => {
      const row = await waitUntilFailedTwice();
      expect(row).toMatchObject({ outcome: null });
      expect(row.problem).toContain(`${code} not now`);
      smtp.onSender = () => null;
      await smtp.arrived(1);
    });
  });

  it.each([
    ['says nothing', () => {}],
    [
      'hangs after the greeting',
      (socket: { write(text: string): void }) => socket.write('220 hello\r\n'),
    ],
    [
      'never finishes its answer',
      (socket: { write(text: string): void; on(event: 'close', stop: () => void): void }) => {
        socket.write('220 hello\r\n');
        const timer = setInterval(() => socket.write('250-more\r\n'), 50);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('%s: the attempt ends in time', async (_what, talk) => {
    const port = await startRawServer(talk as never);
    await queue('pat@example.com');
    await runSender(`smtp://127.0.0.1:${port}`, async () => {
      expect(await waitUntilFailedTwice()).toMatchObject({ outcome: null });
    });
  });
});

describe('TLS', () => {
  const certificate = localCertificate();

  it.each([
    ['from the start', { secure: true }],
    ['after STARTTLS', { hideSTARTTLS: false }],
  ])('protects a password: %s', async (_when, options) => {
    const smtp = await startSmtp({
      ...options,
      ...certificate,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 's3cret/&'
          ? done(null, { user: username! })
          : done(new Error('wrong password')),
    });
    const url = smtp.url.replace('//', `//pat:${encodeURIComponent('s3cret/&')}@`);
    await queue('pat@example.com');
    const mail = await runSender(`${url}?tls.rejectUnauthorized=false`, () => smtp.arrived(1));
    expect(mail).toMatchObject({ secure: true, user: 'pat' });
  });

  it('is required for a password, and a server without it gets none', async () => {
    let asked = 0;
    const smtp = await startSmtp({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        asked++;
        done(null, { user: 'pat' });
      },
    });
    const url = smtp.url.replace('//', '//pat:s3cret@');
    await queue('pat@example.com');
    await runSender(url, async () =>
      expect(await waitUntilFailedTwice()).toMatchObject({ outcome: null }),
    );
    expect({ asked, received: smtp.received }).toEqual({ asked: 0, received: [] });
    await db.query('update outbox set due_at = now()');
    await runSender(`${url}?requireTLS=false`, () => smtp.arrived(1));
  });

  it('needs a certificate of the server’s name that can be verified', async () => {
    const smtp = await startSmtp({ hideSTARTTLS: false, ...certificate });
    await queue('pat@example.com');
    const row = await runSender(smtp.url, waitUntilFailedTwice);
    expect(row).toMatchObject({ outcome: null, problem: expect.stringContaining('certificate') });
    expect(smtp.received).toEqual([]);
  });

  it('doesn’t help against a wrong password, which is retried and never logged', async () => {
    const smtp = await startSmtp({
      hideSTARTTLS: false,
      ...certificate,
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error('wrong password')),
    });
    const url = `${smtp.url.replace('//', '//pat:s3cret@')}?tls.rejectUnauthorized=false`;
    await queue('pat@example.com');
    const log = await runSender(url, async (log) => {
      expect(await waitUntilFailedTwice()).toMatchObject({ outcome: null });
      return log();
    });
    expect(log).toContain('wrong password');
    expect(log).not.toContain('s3cret');
  });
});

describe('checking the settings', () => {
  it('succeeds if the server answers, and otherwise says why not', async () => {
    const smtp = await startSmtp();
    await smtpAt(smtp.url, FROM, LIMITS).verify();
    await smtp.stop();
    await expect(smtpAt(smtp.url, FROM, LIMITS).verify()).rejects.toThrow('ECONNREFUSED');
  });
});
