/** ZIP codes within a radius or a drive, as requested by the forms of a brand. */
import { badRequest } from '../../../../errors.ts';
import { noDriveTimes } from '../../../../data/routing/drive-times.ts';
import { readZips } from '../../../../base/lists/read-zip.ts';
import {
  pointOf,
  zipsInRadius,
  type RadiusCenter,
} from '../../../../territories/brands/zips-in-radius.ts';
import { pluralize } from '../../../../base/text/words.ts';
import { checkedFields } from '../../framework/form-problems.ts';
import type { MemberVisit } from '../../framework/visit.ts';

interface ZipsInReach {
  zips: readonly string[];
  /** `within 5 miles`, `within a 20-minute drive` */
  within: string;
  /** `75201`, `32.78, -96.8` */
  place: string;
}

/** @throws ServiceError as `readCenter`, `zipsInRadius`, and `DriveTimes` */
export async function zipsInReach(
  { caller, driveTimes = noDriveTimes }: MemberVisit,
  fields: URLSearchParams,
): Promise<ZipsInReach> {
  const { common } = caller.tenant;
  const center = readCenter(fields);
  const place = 'zip' in center ? center.zip : `${center.lat}, ${center.lng}`;
  const reach = Number(fields.get('reach'));
  if (fields.get('unit') === 'minutes') {
    const zips = await driveTimes.zipsWithin(common, await pointOf(common, center), reach);
    return { zips, within: `within a ${reach}-minute drive`, place };
  }
  const zips = await zipsInRadius(common, center, reach);
  return { zips, within: `within ${pluralize(reach, 'mile')}`, place };
}

/** The center of a radius or a drive. @throws ServiceError 400 without a ZIP code or point */
function readCenter(fields: URLSearchParams): RadiusCenter {
  const [lat, lng] = [fields.get('lat'), fields.get('lng')];
  if (lat && lng) return { lat: Number(lat), lng: Number(lng) };
  const { around } = checkedFields({
    around: () => {
      const found = readZips(fields.get('around') ?? '').find(({ zip }) => zip !== null);
      if (found) return found.zip!;
      throw badRequest('Enter a ZIP code to measure from, such as 75201.');
    },
  });
  return { zip: around };
}
