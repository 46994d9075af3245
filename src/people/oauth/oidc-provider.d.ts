/**
 * Types for inner modules of oidc-provider, because the package has types only for its index. The index
 * isn't imported, because it prints a warning on Node 20, where the parts used here work and are tested.
 */
declare module 'oidc-provider/lib/provider.js' {
  export { default as Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider';

  export const InvalidGrant: typeof errors.InvalidGrant;
  export const InvalidTarget: typeof errors.InvalidTarget;
}
