-- Room: account. Whoever gets a domain gets everyone who enters an address at it on the sign-in page. So a domain counts
-- once its DNS has the organization's record, or an operator of the service vouches for it. Until then, it is a claim,
-- and several organizations may have the same one.
alter table company_domains
  -- The organization's code in the DNS record. It is public
  add column code text not null default replace(gen_random_uuid()::text, '-', ''),
  add column proved_at timestamptz,
  add column vouched_at timestamptz,
  -- The last look at the DNS, and what was wrong, in our words
  add column checked_at timestamptz,
  add column problem text,
  add check (problem is null or checked_at is not null),
  drop constraint company_domains_pkey,
  add primary key (organization_id, domain);
drop index company_domains_of;
-- An email address leads to one provider.
create unique index company_domains_held on company_domains (domain)
  where proved_at is not null or vouched_at is not null;

-- Owners could add only the domain of their own confirmed address, unless another organization had members there.
-- Domains that were added by that rule stay in use, so that their people can still sign in.
update company_domains set vouched_at = now();
