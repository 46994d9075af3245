/** Path parameters of the public layer, and example messages for unknown ones. */
import { z } from 'zod';
import { ZipCode } from '../../../base/contract/resources.ts';
import { launchedMetros } from '../../../data/market/metros.ts';
import { VERTICALS } from '../../../data/scoring/verticals.ts';

export const zipParam = ZipCode.meta({ description: 'ZIP code', example: '75201' });

/** Accepts any text, because an unknown vertical is 404, not 400. */
export const verticalParam = z
  .string()
  .meta({
    description: 'Launched vertical',
    enum: VERTICALS.map(({ slug }) => slug),
    example: 'roofing',
  });

export const metroParam = () =>
  z
    .string()
    .meta({
      description: 'Launched metro',
      enum: launchedMetros().map(({ slug }) => slug),
      example: 'dallas-tx',
    });

/** Example messages of 404 responses. */
export const NO_ZIP_EXAMPLE =
  "There is no public data for ZIP code 99999, because it's outside the launched metros. Use a ZIP code in one of: dallas-tx, …";
export const NO_VERTICAL_EXAMPLE =
  'There is no launched vertical "roof". Use one of: roofing, hvac, …';
export const NO_METRO_EXAMPLE =
  'There is no launched metro "boise-id". Use one of: dallas-tx, houston-tx, …';
