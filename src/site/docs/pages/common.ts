/** What several pages of the documentation say. */
import { shell, type Example } from '../blocks.ts';

export const SAMPLE_NOTE =
  'The answers shown are of the sample data, which are made up, and are shortened where there is a `…`.';

/** The keys of the pages stand for the reader's own. */
export const KEY_PLACEHOLDER = 'svc_live_…';

export const exportKey = (id: string): Example =>
  shell(id, `export TERRITORY_API_KEY=${KEY_PLACEHOLDER}`);

/** As the code of a share link stands for theirs */
export const SHARE_PLACEHOLDER = 'dv2q63xd6z';
