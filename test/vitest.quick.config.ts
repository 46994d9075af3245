/**
 * The tests that tell most in a few minutes: npm test. They check the contract, the tools, the rules of each room, golden
 * pictures, and a first start. `npm run test:all` runs the others, too.
 */
import { defineConfig } from 'vitest/config';
import { Report } from './support/report.ts';
import tests from './vitest.config.ts';

const LATER = [
  // Journeys start services, commands, and browsers, and crawl the site. One shows that the service starts.
  'test/journeys/!(first-start).test.ts',
  'test/**/*-in-browser.test.ts',
  // Outages, crashes, deadlines, and races, mostly of the embedded database.
  'test/faults/**',
  'test/base/db/**',
  'test/run/{cleanup,start}/**',
  'test/people/metering/units-after-crash.test.ts',
  'test/territories/{brands/races,notify/killed,notify/webhooks-after-crash}.test.ts',
  // Doors call the rooms, whose rules other tests check. Each page and each command costs most: it is read as a whole.
  'test/{doors/site,doors/cli,run/admin,people/mail}/**',
  'test/doors/http/!(conformance|health|openapi|versioning).test.ts',
  'test/doors/mcp/**/!(listing).test.ts',
  // Generated sequences of steps: other cases are tried at each landing.
  'test/territories/brands/model.test.ts',
  // MapLibre's published pictures, its native engine, and threads that crash. Golden pictures show most regressions.
  'test/render/{reference/**,native.test.ts,pool.test.ts,style-file.test.ts}',
  // Solvers that race with exact ones.
  'test/territories/design/**',
  'test/territories/plans/{design,solve}.test.ts',
  // Imports of large inputs, tiles, archives, and pictures of the whole country, and the labels of ten maps.
  'test/data/{ingest,basemap}/**',
  'test/territories/brands/exhibit.test.ts',
  'test/maps/cartography/{insets,zip-labels}.test.ts',
];

export default defineConfig({
  ...tests,
  test: {
    ...tests.test,
    exclude: LATER,
    reporters: ['default', './test/support/unfinished.ts', new Report('quick')],
  },
});
