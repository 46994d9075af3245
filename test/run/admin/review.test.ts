/** `territory-admin demo`, and reviews decided on the command line */
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { adminCommands } from '../../support/many-commands.ts';

const { env } = await testDatabase('sample');
const runAdmin = adminCommands();
const run = (...words: string[]) => runAdmin(words, env);
const json = async (...words: string[]) => {
  const result = await run(...words, '--json');
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(result.stdout);
};
const queue = async (...words: string[]) =>
  (await json('review', 'list', '--org', 'demo', ...words)).reviews as {
    id: string;
    zip: string;
    batchId: string;
  }[];
const asSam = ['--org', 'demo', '--as', 'sam@demo.example'];

describe('territory-admin demo', () => {
  it('creates the organization and prints its key once', async () => {
    const { key } = await json('demo');
    expect(key).toMatch(/^svc_live_/);
    const again = await run('demo');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('territory-admin key mint --org demo --write');
  });
});

describe('territory-admin review', () => {
  it('lists the review queue', async () => {
    expect(await queue()).toHaveLength(3);
    expect(await queue('--brand', 'Lone Star Roofing')).toEqual([]);
    const { stdout } = await run('review', 'list', '--org', 'demo');
    expect(stdout).toMatch(
      /Review +Brand +ZIP +City +Requested +By +Note\n[^]*Desert Air HVAC +85\d{3}/,
    );
  });

  it('lets only members with a reviewing role decide', async () => {
    const [first] = await queue();
    const noah = ['--org', 'demo', '--email', 'noah@demo.example'];
    await json('user', 'add', ...noah, '--name', 'Noah', '--role', 'member');
    const refused = await run(
      'review',
      'approve',
      first!.id,
      '--org',
      'demo',
      '--as',
      'noah@demo.example',
    );
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Your role is member');
    const stranger = await run(
      'review',
      'approve',
      first!.id,
      '--org',
      'demo',
      '--as',
      'x@y.example',
    );
    expect(stranger.stderr).toContain('No member of the organization has the email address');
    expect(await queue()).toHaveLength(3);
  });

  it('approves a review by id and rejects the rest of its batch', async () => {
    const [first, second, third] = await queue();
    const approved = await run('review', 'approve', first!.id, ...asSam);
    expect(approved.stdout).toBe(`${first!.zip} of Desert Air HVAC: approved.\n`);
    const rejecting = ['review', 'reject', '--batch', first!.batchId, ...asSam];
    expect((await run(...rejecting)).stderr).toContain("'--reason <text>' not specified");
    expect(await json(...rejecting, '--reason', 'Too far from the depot')).toMatchObject({
      decided: [second, third].map((review) => ({ zip: review!.zip, status: 'rejected' })),
      notOpen: [],
    });
    expect(await queue()).toEqual([]);
    expect(await queue('--status', 'rejected')).toMatchObject([
      { reason: 'Too far from the depot', decidedBy: { kind: 'person', name: 'Sam Ortiz' } },
      {},
    ]);
    const late = await run('review', 'approve', first!.id, ...asSam);
    expect(late).toMatchObject({ code: 1, stdout: '' });
    expect(late.stderr).toContain(`${first!.zip} (approved by Sam Ortiz)`);
  });

  it.each([
    ['no reviews named', ['approve', ...asSam], /Name the reviews/],
    ['an invalid batch', ['approve', '--batch', '7', ...asSam], /Expected an id/],
    ['no reviewer named', ['approve', 'x', '--org', 'demo'], /'--as <email>' not specified/],
    ['an unknown review', ['approve', 'x', ...asSam], /No pending review matches/],
  ])('ends with exit code 1 and the reason: %s', async (_name, words, why) => {
    const result = await run('review', ...words);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(why);
    expect(result.stderr).not.toMatch(/\n +at /);
  });
});
