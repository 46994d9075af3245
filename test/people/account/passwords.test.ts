/** Password hashes at their real cost; every other test hashes at a lower one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD_COST } from '../../../src/people/account/password-cost.ts';
import { hashOfPassword, isOutdated, isPassword } from '../../../src/people/account/passwords.ts';
import { compiledModule } from '../../../src/base/workers/compiled-module.ts';

const cheap = { ...PASSWORD_COST };
beforeAll(async () => {
  // The query makes Node run the module again.
  const real = await import(`${compiledModule('people/account/password-cost.ts')}?real`);
  Object.assign(PASSWORD_COST, real.PASSWORD_COST);
});
afterAll(() => void Object.assign(PASSWORD_COST, cheap));

it('hashes with scrypt at the cost that OWASP recommends, with a new salt each time', async () => {
  const hash = await hashOfPassword('a long enough password');
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword('a long enough password', hash)).toBe(true);
  expect(await isPassword('a long enough passwore', hash)).toBe(false);
  expect(isOutdated(hash)).toBe(false);
  expect(await hashOfPassword('a long enough password')).not.toBe(hash);
});

it('accepts a hash of a lower cost and reports it as outdated', async () => {
  // Made by Python's hashlib.scrypt(b'correct horse battery', salt=b'0123456789abcdef', n=16, r=8, p=1, dklen=32)
  const hash =
    '$scrypt$ln=4,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$LYtM8Mh-uD5qDLQWvjcUOTNEVL2STXzMHwI4lieKYvI';
  expect(await isPassword('correct horse battery', hash)).toBe(true);
  expect(isOutdated(hash)).toBe(true);
});
