import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  requireStrongPassword,
  WeakPassword,
} from '../../../src/people/account/password-strength.ts';

const OWNER = { email: 'pat.miller@example.com', name: 'Pat Miller', organization: 'Bright Roofs' };

describe('requireStrongPassword', () => {
  it.each([
    ['123456789012', /commonly used/],
    ['password1234', /similar to a commonly used/],
    ['qwertyuiop12', /commonly used/],
    ['aaaaaaaaaaaaaaaa', /Repeated characters/],
    ['abcabcabcabcabc', /Repeated character patterns/],
    ['pat.miller@example.com', /personal/],
  ])('refuses %s and says why', async (password, why) => {
    const refusal = await requireStrongPassword(password, OWNER).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(WeakPassword);
    expect((refusal as Error).message).toMatch(/^This password is easy to guess\. /);
    expect((refusal as Error).message).toMatch(why);
    expect((refusal as Error).message).toMatch(/unrelated words are easy to remember/);
  });

  it.each(['Pat Miller 1985', 'bright roofs 2024!', 'PatMiller!Pat', 'miller.example'])(
    'refuses "%s" from its owner, but not from others',
    async (password) => {
      await expect(requireStrongPassword(password, OWNER)).rejects.toThrow(WeakPassword);
    },
  );

  it.each(['four words make one', 'zK9#mQ2v!xT7', 'roofing in dallas since june'])(
    'accepts "%s"',
    async (password) => {
      await expect(requireStrongPassword(password, OWNER)).resolves.toBeUndefined();
    },
  );

  it('loads the word lists in a worker thread, without blocking this one', async () => {
    const passwords = ['zK9#', 'a1', 'correct horse '].map((part) => part.repeat(50).slice(0, 200));
    await Promise.allSettled(passwords.map((password) => requireStrongPassword(password, OWNER)));
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    expect(loaded.filter((file) => file.includes('zxcvbn'))).toEqual([]);
  });
});
