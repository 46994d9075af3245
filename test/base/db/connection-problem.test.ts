import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { connectionProblem, databasePlace } from '../../../src/base/db/connection-problem.ts';
import { callersError } from '../../../src/base/db/failures.ts';

const config = (url: string) => readConfig({ DATABASE_URL: url });

it.each([
  ['postgresql://db.internal:5433/territory', 'at db.internal:5433'],
  ['postgresql://db.internal/territory', 'at db.internal'],
  ['postgresql:///territory', 'at localhost'],
  ['postgresql:///territory?host=db.internal', 'at db.internal'],
  ['postgresql:///territory?host=db.internal&port=5433', 'at db.internal:5433'],
])('the place of %s is "%s"', (url, place) => {
  expect(databasePlace(config(url))).toBe(place);
});

describe('the explanation of an error', () => {
  const detailOf = (code: string, message: string) => {
    const error = callersError(Object.assign(new Error(message), { code }));
    return connectionProblem(error, config('postgresql://db.internal/territory')).detail;
  };

  it.each([
    ['42P01', 'relation "datasets" does not exist'],
    ['42501', 'permission denied for table datasets'],
    ['40001', 'canceling statement due to conflict with recovery'],
  ])('names a statement that failed with %s', (code, message) => {
    expect(detailOf(code, message)).toBe(`The database at db.internal refuses a query: ${message}`);
  });

  it.each(['ECONNREFUSED', 'EPIPE', 'EPERM', '57P01'])(
    'says for %s that the database can’t be reached',
    (code) => {
      expect(detailOf(code, 'x')).toBe(`The database at db.internal can’t be reached (${code})`);
    },
  );
});
