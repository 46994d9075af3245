/**
 * Lets solves do a tenth of the usual work, where a test doesn't say how much: most tests are about what
 * happens with the result. `test/territories/design` and `npm run bench -- design` measure its quality.
 */
import { USUAL_EFFORT } from '../../src/territories/design/effort.ts';

Object.assign(USUAL_EFFORT, { perNode: 0.028, least: 0.1 });
