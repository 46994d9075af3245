/** The subject of a picture as one segment of a URL: `metro:dallas-tx:roofing`, `zips:75201,75204`. */
import { MAX_ZIPS_PER_CALL } from '../../base/contract/limits.ts';

/**
 * With a vertical, ZIP codes are colored by score class. With null, they have one color, or the statuses of
 * a brand.
 */
export type Subject =
  | { kind: 'metro'; metro: string; vertical: string | null }
  | { kind: 'zips'; zips: string[]; vertical: string | null }
  | { kind: 'state'; state: string; vertical: string | null }
  | { kind: 'brand'; brand: string; vertical: string | null }
  | { kind: 'share'; token: string };

type SubjectKind = Subject['kind'];

/** The syntax of a subject, its meaning, and whether it needs a key or a signed URL */
interface SubjectForm {
  pattern: string;
  example: string;
  meaning: string;
  isPublic: boolean;
}

export const SUBJECTS: Readonly<Record<SubjectKind, SubjectForm>> = {
  metro: {
    pattern: 'metro:{metro}[:{vertical}]',
    example: 'metro:dallas-tx:roofing',
    meaning: 'A launched metro',
    isPublic: true,
  },
  zips: {
    pattern: 'zips:{zip},{zip},…[:{vertical}]',
    example: 'zips:75201,75204:hvac',
    meaning: `Up to ${MAX_ZIPS_PER_CALL} ZIP codes`,
    isPublic: false,
  },
  state: {
    pattern: 'state:{code}[:{vertical}]',
    example: 'state:TX:roofing',
    meaning: 'The ZIP codes of a state',
    isPublic: false,
  },
  brand: {
    pattern: 'brand:{slug or id}[:{vertical}]',
    example: 'brand:lone-star-roofing',
    meaning: 'The territory of a brand, by status or by score class',
    isPublic: false,
  },
  share: {
    pattern: 'share:{code}',
    example: 'share:0gvt3qk9xm',
    meaning: 'The map of a share link of your organization',
    isPublic: false,
  },
};

export const isPublic = ({ kind }: Subject) => SUBJECTS[kind].isPublic;

/** @throws RangeError with a message that completes a sentence about the parameter */
export function parseSubject(text: string): Subject {
  const [kind, value = '', vertical = null, ...rest] = text.split(':');
  const form = Object.hasOwn(SUBJECTS, kind!) ? SUBJECTS[kind as SubjectKind] : undefined;
  if (form === undefined) {
    const patterns = Object.values(SUBJECTS).map(({ pattern }) => pattern);
    throw new RangeError(`must be one of ${patterns.join(' ')}`);
  }
  const malformedError = () =>
    new RangeError(`must look like ${form.pattern}, for example ${form.example}`);
  if (value === '' || vertical === '' || rest.length > 0) throw malformedError();
  switch (kind as SubjectKind) {
    case 'metro':
      return { kind: 'metro', metro: value, vertical };
    case 'zips':
      return { kind: 'zips', zips: parseZips(value, malformedError), vertical };
    case 'state':
      return { kind: 'state', state: value, vertical };
    case 'brand':
      return { kind: 'brand', brand: value, vertical };
    case 'share':
      if (vertical !== null) throw malformedError();
      return { kind: 'share', token: value };
  }
}

function parseZips(text: string, malformedError: () => RangeError): string[] {
  const zips = text.split(',');
  if (!zips.every((zip) => /^\d{5}$/.test(zip))) throw malformedError();
  if (zips.length <= MAX_ZIPS_PER_CALL) return [...new Set(zips)].sort();
  throw new RangeError(
    `has ${zips.length} ZIP codes; the limit is ${MAX_ZIPS_PER_CALL}. Draw a state or a brand instead`,
  );
}
