/** A second person of an organization, and what people read on a page. */
import type { Role } from '../../src/people/account/caller.ts';
import { PASSWORD, Visitor, type Shown } from './visitor.ts';

/** Joins an organization by an invitation of its owner. @param brandId default: all brands */
export async function newColleague(owner: Visitor, role: Role, brandId?: string): Promise<Visitor> {
  const scope: Record<string, string> =
    brandId === undefined ? {} : { scope: 'some', brand: brandId };
  const { html } = await owner.post('/account/members', { name: 'Kim', role, ...scope });
  const [, token] = /\/invite\/([\w-]+)/.exec(html)!;
  const kim = new Visitor(owner.site);
  await kim.post(`/invite/${token}`, { name: 'Kim', email: kim.email, password: PASSWORD });
  return kim;
}

/** The words of the main part of a page */
export const mainText = ({ html }: Shown) =>
  html
    .replace(/^[^]*<main/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
