import { badRequest } from '../../../../../errors.ts';
import { parsePastedZips } from '../../../../../territory/pasted-zips.ts';
import type { RadiusCenter } from '../../../../../territory/zips-in-radius.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';

/** The center of a radius. @throws ServiceError 400 without a ZIP code or point */
export function readCenter(fields: URLSearchParams): RadiusCenter {
  const [lat, lng] = [fields.get('lat'), fields.get('lng')];
  if (lat && lng) return { lat: Number(lat), lng: Number(lng) };
  const { around } = checkedFields({
    around: () => {
      const [zip] = parsePastedZips(fields.get('around') ?? '').zips;
      if (zip !== undefined) return zip;
      throw badRequest('Enter a ZIP code to measure from, such as 75201.');
    },
  });
  return { zip: around };
}
