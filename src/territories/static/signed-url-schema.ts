/** The request and response for signing a URL. The command line uses them, too. */
import { z } from 'zod';
import { PICTURE_UNITS } from './paid-pictures.ts';
import { URL_DAYS } from './signed-url.ts';

export const SignedUrlRequest = z
  .object({
    url: z
      .string()
      .max(8_000)
      .meta({ description: 'URL of a static picture, absolute or from the API root' }),
    days: z
      .int()
      .min(URL_DAYS.min)
      .max(URL_DAYS.max)
      .default(URL_DAYS.default)
      .meta({ description: 'Days until the signed URL expires' }),
  })
  .meta({
    id: 'SignedUrlRequest',
    examples: [{ url: '/static/light/brand:lone-star-roofing/auto/600x400@2x.png', days: 90 }],
  });

export const SignedUrl = z
  .object({
    url: z.url().meta({ description: 'Works without a key, in web pages too, until it expires' }),
    expiresAt: z.iso.datetime(),
    units: z.int().meta({ description: 'Price of drawing the picture for the first time' }),
  })
  .meta({
    id: 'SignedUrl',
    examples: [
      {
        url: 'https://territory.example.com/static/light/brand:lone-star-roofing/auto/600x400@2x.png?signer=0b8ad2a5-52c1-4f0e-8f2b-6f0a3c1d9e77&expires=1797796800&signature=3ZVvn1w0JYbZ3xvX0r1m4kq8l7hQ2mEwqjQd0M6yJkA',
        expiresAt: '2026-12-20T20:00:00.000Z',
        units: PICTURE_UNITS,
      },
    ],
  });
