/** Terms of holdings: what an agreement grants a brand in ZIP codes, and until when. */
import { asOf } from '../../../base/contract/as-of.ts';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import { TOLD_BEFORE_DAYS } from '../../../territories/brands/terms/keep-terms.ts';
import { setTerms, termsOf } from '../../../territories/brands/terms/terms.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';
import { TermsBody, termsBody, termsParams, TermsRequest } from './terms-schema.ts';

const TERMS = { ...SUBSCRIBED, tag: 'Record' } as const;

export const termsOperations = (): Operation[] => [
  operation({
    ...TERMS,
    id: 'listTerms',
    method: 'get',
    path: '/agent/brands/{brand}/terms',
    summary: 'List the terms of a brand’s ZIP codes',
    description:
      'Returns the kind of grant, the last day, and the note of each live ZIP code that has terms, now or as of a day.',
    params: termsParams,
    query: exactQuery({ asOf: asOf.optional() }),
    answers: { 200: { description: 'The terms', schema: TermsBody } },
    errors: [402, 404],
    handle: async ({ caller: { tenant, brandScope }, params }) => {
      const brand = await findBrand(tenant, brandScope, params.brand);
      return {
        status: 200,
        headers: NO_STORE,
        body: termsBody(brand, await termsOf(tenant, brand)),
      };
    },
  }),
  operation({
    ...TERMS,
    id: 'setTerms',
    method: 'post',
    path: '/agent/brands/{brand}/terms',
    needs: 'writer',
    summary: 'Set the terms of ZIP codes',
    description:
      'Sets what an agreement grants a brand in live ZIP codes, and until when. Fields that are left out stay, and null ' +
      `clears one. ${TOLD_BEFORE_DAYS} days before the end, reviewers and the brand’s people are told, once. After the ` +
      'last day, they are told again, and with `atEnd: ends`, the brand loses the ZIP codes, which can be undone. A new ' +
      'request for a ZIP code ends its terms.',
    params: termsParams,
    body: TermsRequest,
    bodyExamples: {
      end: {
        summary: 'An exclusive grant with a last day',
        value: exampleOf(TermsRequest) as typeof TermsRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The terms of these ZIP codes', schema: TermsBody } },
    errors: [402, 403, 404, 409],
    errorExamples: {
      409: 'Lone Star Roofing doesn’t hold 75240 live, so there are no terms to set. Leave it out.',
    },
    handle: async ({ caller: { tenant, actor, brandScope }, params, body }) => {
      const brand = await findBrand(tenant, brandScope, params.brand);
      const terms = await tenant.transaction((tx) => setTerms(tx, actor, brand, body));
      return { status: 200, headers: NO_STORE, body: termsBody(brand, terms) };
    },
  }),
];
