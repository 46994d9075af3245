/** Copy buttons of the account area. Its pages work without them. */
import { showCopyButtons } from '../browser/copy.ts';

showCopyButtons();
