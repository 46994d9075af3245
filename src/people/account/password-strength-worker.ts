/** Estimates in a thread how hard passwords are to guess, because its word lists take much time and memory to load. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import { serveJobs } from '../../base/workers/serve.ts';
import type { StrengthAnswer, StrengthQuestion } from './password-strength.ts';

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
});

serveJobs<StrengthQuestion, StrengthAnswer, never, never>(async ({ password, known }) => {
  const { score, feedback } = estimator.check(password, [...known]);
  return { score, weakness: feedback.warning };
});
