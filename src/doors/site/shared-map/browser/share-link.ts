/** Notices, while a page is open, that its link was revoked or has expired. */
import { fetchOk, StatusError } from '../../browser/map-view.ts';

const CHECK_INTERVAL_MS = 60_000;

/** Reloads the page if the link is closed, because the new page says so. Rethrows all errors. */
export function reloadIfClosed(error: unknown): never {
  if (error instanceof StatusError && error.status === 404) location.reload();
  throw error;
}

/** @param sharedPath API path of the share */
export function watchShareLink(sharedPath: string): void {
  const check = () => {
    if (document.visibilityState !== 'visible') return;
    // Browsers send the ETag, so most responses have no body.
    fetchOk(`${sharedPath}/meta`)
      .catch(reloadIfClosed)
      .catch(() => {});
  };
  setInterval(check, CHECK_INTERVAL_MS);
  document.addEventListener('visibilitychange', check);
}
