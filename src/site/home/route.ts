import type { Operation } from '../../contract/operation.ts';
import { page } from '../framework/page.ts';
import type { PublicParts } from '../public-study.ts';
import { homePage } from './view.ts';

export const homeRoute = ({ common, study, links }: PublicParts): Operation =>
  page({
    ...common,
    path: '/',
    make: async () => homePage(await study(), links()),
  });
