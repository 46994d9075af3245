import type { z } from 'zod';
import type { ZipDemographics } from '../../contract/resources.ts';
import type { CensusFigure } from '../../ingest/demographics.ts';
import { FIGURE_TEXTS } from '../../ingest/figure-texts.ts';
import type { Layout } from '../layout.ts';
import { formatTable } from '../table.ts';

export type Demographics = z.output<typeof ZipDemographics>;

/** Formats the census figures of a ZIP code. @param flags remarks by field, such as `suppressed` */
export const formatDemographics = (
  zip: Omit<Demographics, 'zipCode'>,
  layout: Layout,
  flags: Readonly<Record<string, string>> = {},
): string =>
  formatTable(
    layout,
    [
      { heading: 'Census figure', cell: (field) => FIGURE_TEXTS[field].label },
      {
        heading: 'Value',
        cell: (field) => FIGURE_TEXTS[field].format(zip[field] ?? null),
        right: true,
      },
      { heading: '', cell: (field) => layout.paint('dim', flags[field] ?? '') },
    ],
    Object.keys(FIGURE_TEXTS) as CensusFigure[],
  );
