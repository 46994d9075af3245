/**
 * The parts of oidc-provider by their own modules: its index complains on the console of Node 20,
 * on which all that is used here works and is tested. Its types are of the index alone.
 */
declare module 'oidc-provider/lib/provider.js' {
  export { default as Provider } from 'oidc-provider';
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider';

  export const InvalidGrant: typeof errors.InvalidGrant;
  export const InvalidTarget: typeof errors.InvalidTarget;
}
