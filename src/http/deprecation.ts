/** Operations that go away say so with every answer. */
import { deprecationHeaders } from '../contract/deprecation.ts';
import type { Operation } from '../contract/operation.ts';
import type { Step } from './in-order.ts';

/** `ctx.state.operation` is the operation at the path, if any. */
export function setDeprecationHeaders(apiRoot: () => string): Step {
  return (ctx) => {
    const { deprecated } = (ctx.state.operation as Operation | undefined) ?? {};
    if (deprecated) ctx.set(deprecationHeaders(deprecated, apiRoot()));
  };
}
