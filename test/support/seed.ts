/**
 * Seeds generated cases with TEST_SEED, if it is set: `.ci/run` derives it from the files of the project, so a
 * result can be repeated, and every change tries other cases. A second try doesn't hide a counterexample then.
 */
import fc from 'fast-check';

const { TEST_SEED } = process.env;
if (TEST_SEED) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(TEST_SEED) });
