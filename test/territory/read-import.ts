/** Reads an import for a brand in this thread, with all of its findings. */
import type { TenantDatabase } from '../../src/account/tenant.ts';
import type { Brand } from '../../src/territory/brands.ts';
import { lookUpsOf } from '../../src/territory/import/check.ts';
import * as reading from '../../src/territory/import/read-import.ts';

export const readImport = (tenant: TenantDatabase, brand: Brand, text: string) =>
  reading.readImport(lookUpsOf(tenant, brand), text);
