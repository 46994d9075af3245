/** The contract's version: `info.version` of the OpenAPI document and the `Service-Version` header. */
export const SERVICE_VERSION = '2026-08-22';
