/**
 * Copy buttons of the account area, and the browser’s time zone, in which the daily email is sent. The pages work
 * without them.
 */
import { showCopyButtons } from '../browser/copy.ts';

showCopyButtons();

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const day = 86_400;
document.cookie = `time-zone=${timeZone}; Path=/; Max-Age=${30 * day}; SameSite=Lax`;
