/** Sent as `info.version` of the OpenAPI document and as the `Service-Version` header. */
export const SERVICE_VERSION = '2026-08-22';
