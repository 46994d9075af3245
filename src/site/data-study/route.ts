import type { Operation } from '../../contract/operation.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { dataStudyPage } from './view.ts';

export const dataStudyRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/data-study',
    make: async () => dataStudyPage(await study(), links()),
  });
