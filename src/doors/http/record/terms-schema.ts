/** Requests and responses of the terms of holdings. */
import { z } from 'zod';
import { MAX_ZIPS_PER_CALL } from '../../../base/contract/limits.ts';
import { ZipCode } from '../../../base/contract/resources.ts';
import { AT_END, GRANTS, type ZipTerms } from '../../../territories/brands/terms/terms.ts';

export const termsParams = z.object({
  brand: z
    .string()
    .min(1)
    .max(120)
    .meta({ description: 'Slug, name, or id', example: 'lone-star-roofing' }),
});

const granted = z
  .enum(GRANTS)
  .meta({
    description:
      '`exclusive`: nobody else serves it; `protected`: it is granted to nobody else; `non_exclusive`: others may have it, too',
  });
const atEnd = z
  .enum(AT_END)
  .meta({
    description:
      'What happens after the last day. `told`: people are told; `ends`: the brand also loses the ZIP codes',
  });
const endsOn = z.iso
  .date()
  .meta({
    description: 'The last day, in the time zone of the organization',
    example: '2099-03-31',
  });
const note = z
  .string()
  .trim()
  .max(200)
  .meta({ description: 'Such as the number of the agreement' });

export const TermsRequest = z
  .strictObject({
    zips: z.array(ZipCode).min(1).max(MAX_ZIPS_PER_CALL),
    granted: granted.nullable().optional(),
    endsOn: endsOn.nullable().optional(),
    atEnd: atEnd.optional(),
    note: note.nullable().optional(),
  })
  .meta({
    id: 'TermsRequest',
    examples: [{ zips: ['75201'], granted: 'exclusive' as const, endsOn: '2099-03-31' }],
  });

export const TermsBody = z
  .object({
    brand: z.string(),
    brandName: z.string(),
    terms: z.array(
      z.object({
        zip: ZipCode,
        granted: granted.nullable(),
        endsOn: endsOn.nullable(),
        atEnd,
        note: z.string().nullable(),
      }),
    ),
  })
  .meta({
    id: 'BrandTerms',
    examples: [
      {
        brand: 'lone-star-roofing',
        brandName: 'Lone Star Roofing',
        terms: [
          {
            zip: '75201',
            granted: 'exclusive' as const,
            endsOn: '2099-03-31',
            atEnd: 'told' as const,
            note: 'Agreement 12',
          },
        ],
      },
    ],
  });

export const termsBody = (
  { slug, name }: { slug: string; name: string },
  terms: readonly ZipTerms[],
): z.output<typeof TermsBody> => ({
  brand: slug,
  brandName: name,
  terms: terms.map(({ zip, granted, endsOn, atEnd, note }) => ({
    zip,
    granted,
    endsOn,
    atEnd,
    note,
  })),
});
