/** Requests and responses of the operations on data sets. */
import { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import type { DataSet, Upload } from '../../../territories/own-data/data-sets.ts';
import type { RowOutcome } from '../../../territories/own-data/import/types.ts';

export const name = z.string().min(1).max(120);

export const dataSetParams = z.object({
  dataSet: name.meta({ description: 'Short name, name, or id of a data set' }),
});

const AddsUp = z
  .enum(['sum', 'mean'])
  .meta({
    description:
      'How rows add up to the amount of a ZIP code, and ZIP codes to that of a territory. Means are weighted by rows.',
  });

/** Numbers of rows by outcome */
export const Counts = z.object({
  placed: z.int(),
  guessed: z.int(),
  no_amount: z.int(),
  total: z.int().meta({ description: 'Rows of totals, which aren’t counted' }),
  unknown_zip: z.int(),
  outside_country: z.int(),
  not_understood: z.int(),
} satisfies Record<RowOutcome, z.ZodType>);

const reportFields = {
  number: z.int().meta({ description: 'Increases with each upload' }),
  summary: z.string().meta({ description: 'How the file was read' }),
  rows: z.int(),
  counts: Counts.partial().meta({
    description: 'Number of rows by outcome; each row has exactly one',
  }),
  suppressedBelow: z
    .int()
    .meta({ description: 'ZIP codes with fewer rows were left out; 0: none' }),
  suppressedZips: z.int().meta({ description: 'Number of ZIP codes that were left out' }),
  uploadedBy: z.string(),
  uploadedAt: z.iso.datetime(),
};

const UPLOAD_EXAMPLE = {
  number: 2,
  summary: 'Read from the columns “zip” and “revenue”.',
  rows: 1240,
  counts: { placed: 1236, guessed: 3, not_understood: 1 },
  suppressedBelow: 0,
  suppressedZips: 0,
  uploadedBy: 'Pat',
  uploadedAt: '2026-11-22T10:00:00.000Z',
};

export const DataSetBody = z
  .object({
    id: z.uuid(),
    slug: z.string().meta({ description: 'Short name, for addresses, fields, and filters' }),
    name,
    addsUp: AddsUp,
    unit: z.string().meta({ description: '`count`, `dollars`, or words such as `hours`' }),
    period: z
      .string()
      .nullable()
      .meta({ description: 'The time that it covers, in words, such as `2025`' }),
    brands: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'Slugs of the brands to which it belongs, as far as the caller sees them; null: the whole organization',
      }),
    zipCount: z.int().meta({ description: 'Number of ZIP codes with an amount' }),
    total: z.number(),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    upload: z.object(reportFields).meta({ description: 'The upload that counts' }),
  })
  .meta({
    id: 'DataSet',
    examples: [
      {
        id: '5f0b6c1e-6c3b-4d9c-9f55-0f2f4a1f6f10',
        slug: 'jobs-2025',
        name: 'Jobs 2025',
        addsUp: 'sum',
        unit: 'count',
        period: '2025',
        brands: null,
        zipCount: 212,
        total: 1239,
        createdBy: 'Pat',
        createdAt: '2026-11-20T10:00:00.000Z',
        upload: UPLOAD_EXAMPLE,
      },
    ],
  });

export const DataSetListBody = z
  .object({
    dataSets: z.array(DataSetBody),
    limits: z.object({
      dataSets: z.int().meta({ description: 'Largest number of data sets' }),
      rowsIncluded: z.int().meta({ description: 'Rows that can be uploaded in a month' }),
      rowsUsed: z.int(),
    }),
  })
  .meta({
    id: 'DataSetList',
    examples: [
      {
        dataSets: [exampleOf(DataSetBody)],
        limits: { dataSets: 50, rowsIncluded: 20_000_000, rowsUsed: 1240 },
      },
    ],
  });

export const DataSetUploadsBody = DataSetBody.extend({
  uploads: z
    .array(z.object({ ...reportFields, zipCount: z.int() }))
    .meta({ description: 'Uploads that are kept, newest first. Earlier ones can be restored.' }),
}).meta({
  id: 'DataSetWithUploads',
  examples: [
    {
      ...(exampleOf(DataSetBody) as z.output<typeof DataSetBody>),
      uploads: [{ ...UPLOAD_EXAMPLE, zipCount: 212 }],
    },
  ],
});

export const RestoreRequest = z
  .strictObject({
    upload: z.int().min(1).meta({ description: 'Number of an upload that is kept' }),
  })
  .meta({ id: 'DataSetRestoreRequest', examples: [{ upload: 1 }] });

export const DeletedDataSetBody = z
  .object({ deleted: z.string().meta({ description: 'Name of the data set' }) })
  .meta({ id: 'DeletedDataSet', examples: [{ deleted: 'Jobs 2025' }] });

const uploadBody = ({ number, report, uploadedBy, uploadedAt }: Upload) => ({
  number,
  ...report,
  uploadedBy: actorName(uploadedBy),
  uploadedAt: uploadedAt.toISOString(),
});

export const dataSetBody = (set: DataSet): z.output<typeof DataSetBody> => {
  const { id, slug, name: given, addsUp, unit, period, brands, zipCount, total } = set;
  return {
    id,
    slug,
    name: given,
    addsUp,
    unit,
    period,
    brands,
    zipCount,
    total,
    createdBy: actorName(set.createdBy),
    createdAt: set.createdAt.toISOString(),
    upload: uploadBody(set.upload),
  };
};

export const uploadsBody = (
  set: DataSet,
  uploads: readonly (Upload & { zipCount: number })[],
): z.output<typeof DataSetUploadsBody> => ({
  ...dataSetBody(set),
  uploads: uploads.map((upload) => ({ ...uploadBody(upload), zipCount: upload.zipCount })),
});
