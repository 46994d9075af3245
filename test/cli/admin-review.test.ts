/** The demo organisation made by hand, and its reviews decided from the command line. */
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { runAdmin } from '../support/processes.ts';

const { env } = await testDatabase('sample');
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
  it('makes the organisation and prints its key once', async () => {
    const { key } = await json('demo');
    expect(key).toMatch(/^svc_live_/);
    const again = await run('demo');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('territory-admin key mint --org demo --write');
  });
});

describe('territory-admin review', () => {
  it('lists what waits', async () => {
    expect(await queue()).toHaveLength(3);
    expect(await queue('--brand', 'Lone Star Roofing')).toEqual([]);
    const { stdout } = await run('review', 'list', '--org', 'demo');
    expect(stdout).toMatch(
      /Review +Brand +ZIP +City +Asked +by +Note\n[^]*desert-air-hvac +85\d{3}/,
    );
  });

  it('lets those decide who have the role, and nobody else', async () => {
    const [first] = await queue();
    const noah = ['--org', 'demo', '--email', 'noah@demo.example'];
    await json('user', 'add', ...noah, '--name', 'Noah', '--role', 'member');
    const refused = await run(
      ...['review', 'approve', first!.id, '--org', 'demo', '--as', 'noah@demo.example'],
    );
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('yours is member');
    const stranger = await run(
      'review',
      'approve',
      first!.id,
      '--org',
      'demo',
      '--as',
      'x@y.example',
    );
    expect(stranger.stderr).toContain('Nobody in the organisation has the e-mail address');
    expect(await queue()).toHaveLength(3);
  });

  it('approves one by its id, and rejects the rest of its batch with a reason', async () => {
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
    ['reviews that are not named', ['approve', ...asSam], /Name the reviews/],
    ['a batch that is none', ['approve', '--batch', '7', ...asSam], /Expected an id/],
    ['nobody who decides', ['approve', 'x', '--org', 'demo'], /'--as <email>' not specified/],
    ['a review that is not there', ['approve', 'x', ...asSam], /No pending review matches/],
  ])('ends with exit code 1 and says why: %s', async (_name, words, why) => {
    const result = await run('review', ...words);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(why);
    expect(result.stderr).not.toMatch(/\n +at /);
  });
});
