/** Whether somebody may change what a tool with the write entitlement may: the same rules as there. */
import { requireAccess, requireWrite } from './access.ts';
import type { Caller } from './caller.ts';

/** @throws ServiceError 402 `subscription_required`, 403 `write_not_entitled` */
export function requireChange(caller: Caller): void {
  requireAccess(caller);
  requireWrite(caller);
}

/** @returns why somebody may not, as a sentence; undefined where they may */
export function changeHindrance(caller: Caller): string | undefined {
  try {
    requireChange(caller);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
