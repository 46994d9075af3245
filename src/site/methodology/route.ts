import type { Operation } from '../../contract/operation.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { methodologyPage } from './view.ts';

export const methodologyRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/methodology',
    make: async () => methodologyPage(await study(), links()),
  });
