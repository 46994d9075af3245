/** Pictures and raster tiles that are described by their URLs. */
import type { Operation } from '../../../base/contract/operation.ts';
import { catalogOperation, type CatalogParts } from './catalog.ts';
import { rasterOperations } from './raster.ts';
import { staticPictureOperation, type StaticParts } from './picture.ts';
import { signedUrlOperation } from './signed-url.ts';

export const staticOperations = (parts: StaticParts & CatalogParts): Operation[] => [
  staticPictureOperation(parts),
  signedUrlOperation(parts),
  ...rasterOperations(parts),
  catalogOperation(parts),
];
