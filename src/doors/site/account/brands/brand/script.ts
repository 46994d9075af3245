/** Submits the forms of a brand's pages only once, and keeps the toast until it is dismissed. */
import { submitOnce } from '../../../browser/submit-once.ts';
import { showToast } from '../../../browser/toast.ts';

showToast('removed');
submitOnce();
