/**
 * Hashes passwords at a 6,000th of the usual cost: tests sign in hundreds of times, and at 0.15 s
 * each that took a third of a run. Hashes state their cost, so processes that tests start can check
 * them. `test/people/account/passwords.test.ts` restores the real cost.
 */
import { PASSWORD_COST } from '../../src/people/account/password-cost.ts';

Object.assign(PASSWORD_COST, { ln: 4, r: 8, p: 1 });
