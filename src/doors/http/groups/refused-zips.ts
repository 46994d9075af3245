/** ZIP codes that a rule of a group refuses, in answers. */
import { z } from 'zod';
import { ZipCode } from '../../../base/contract/resources.ts';

export const RefusedZips = z
  .object({
    reason: z
      .string()
      .meta({ description: 'Why, with the group, and the holder if you may see it' }),
    zips: z.array(ZipCode),
  })
  .meta({
    id: 'RefusedZips',
    examples: [
      {
        reason: 'held by Lone Star North, and the group "Franchisees" blocks overlaps',
        zips: ['75201'],
      },
    ],
  });
