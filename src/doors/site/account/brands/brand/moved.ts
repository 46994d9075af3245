/** Redirects addresses of former pages to the workspace, with the content that they asked for. */
import type { Operation } from '../../../../../base/contract/operation.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import { redirect, visitOperation } from '../../../framework/page.ts';
import type { SiteParts } from '../../../framework/visit.ts';
import type { WorkspaceLink } from '../../../workspace/browser/asked.ts';
import { scoreOf } from '../../../workspace/browser/measures.ts';
import { additionsFilter, workspaceLink } from '../../../workspace/link.ts';
import { loadBrand } from './load-brand.ts';

type Request = (brand: Brand, query: URLSearchParams) => Omit<WorkspaceLink, 'brand'>;

const FORMER: Readonly<Record<string, Request>> = {
  '/account/brands/{brand}/add': (_, query) => ({
    zips: (query.get('zips') ?? query.get('around') ?? '').split(/[\s,]+/).filter(Boolean),
  }),
  '/account/brands/{brand}/suggestions': (brand, query) => {
    const vertical = query.get('vertical');
    return {
      filter: additionsFilter(brand, Number(query.get('add')) || undefined),
      colorBy: vertical ? scoreOf(vertical) : undefined,
    };
  },
};

export const formerBrandPages = (parts: SiteParts): Operation[] =>
  Object.entries(FORMER).map(([path, ask]) =>
    visitOperation({ audience: 'member', path }, parts, async (visit) => {
      const brand = await loadBrand(visit);
      const link = { brand: brand.slug, ...ask(brand, visit.query) };
      return redirect(workspaceLink(link, visit.links));
    }),
  );
