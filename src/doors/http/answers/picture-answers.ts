/** Cached answers with pictures, whose headers count the ZIP codes. */
import { unpackPicture } from '../../../maps/cartography/counted-picture.ts';
import { PreparedAnswer } from '../../../base/contract/prepared.ts';
import { zipCountsField } from '../../../base/contract/zip-counts.ts';

/** Options of a cache of packed pictures. @param type media type */
export const packedPictures = (type: string) => ({
  type,
  prepare(packed: Uint8Array): PreparedAnswer {
    const { counts, picture } = unpackPicture(packed);
    return new PreparedAnswer(picture, type, zipCountsField(counts));
  },
});
