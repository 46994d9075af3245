/** Names the missing part of a picture's URL without a format, which other map services accept. */
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { badRequest } from '../../../errors.ts';
import { ANY_QUERY, unlisted } from '../unlisted.ts';

export const pictureWithoutFormat = (basePath: string): Operation =>
  operation({
    ...unlisted('get', `${basePath}/static/{style}/{subject}/{view}/{size}`),
    query: ANY_QUERY,
    limit: 'static',
    answers: {},
    handle: async ({ params }) => {
      throw badRequest(
        `format: is missing. Add it after the size; for example ${params['size']}.png`,
      );
    },
  });
