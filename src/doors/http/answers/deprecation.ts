/** Adds deprecation headers to every answer of a deprecated operation. */
import { deprecationHeaders } from '../../../base/contract/deprecation.ts';
import { operationAt } from '../requests/find-operation.ts';
import type { Step } from '../requests/steps.ts';

export function setDeprecationHeaders(apiRoot: () => string): Step {
  return (ctx) => {
    const deprecated = operationAt(ctx)?.deprecated;
    if (deprecated) ctx.set(deprecationHeaders(deprecated, apiRoot()));
  };
}
