/** Reads an import for a brand in this thread, with all of its findings. */
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { lookUpsOf } from '../../../src/territories/brands/import/check.ts';
import * as reading from '../../../src/territories/brands/import/read-import.ts';

/** @param file a text, or its bytes */
export const readImport = (tenant: TenantDatabase, brand: Brand, file: string | Uint8Array) =>
  reading.readImport(lookUpsOf(tenant, brand), { bytes: Buffer.from(file as Uint8Array) });
