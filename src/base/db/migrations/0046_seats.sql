-- Seats: people who see only some brands, review settings, and when a member last looked at the overview. In each
-- array of brands, null means all brands, also future ones.

-- The brands of the transaction: null for all of them. Without a setting there are none, so a statement that forgets
-- to set it finds nothing. src/base/db/tenant-role.ts adds the policies.
create function brands_of_setting(value text) returns uuid[] language sql immutable parallel safe as $$
  select case value when 'all' then null else coalesce(nullif(value, '')::uuid[], '{}') end
$$;
create function visible_brands() returns uuid[] language sql stable parallel safe as $$
  select brands_of_setting(current_setting('territory.brands', true))
$$;

-- The brands of the person for whom a statement reads, also while it reads across brands
create function viewer_brands() returns uuid[] language sql stable parallel safe as $$
  select brands_of_setting(current_setting('territory.viewer', true))
$$;

-- Owners have all brands. The id stands for the membership in signed URLs.
alter table memberships
  add brand_ids uuid[],
  add id uuid not null unique default gen_random_uuid(),
  add constraint owners_have_all_brands check (role <> 'owner' or brand_ids is null);
alter table invitations
  add brand_ids uuid[],
  add constraint owners_have_all_brands check (role <> 'owner' or brand_ids is null);

-- The role and brands of a first sign-in, and how a claim of the provider decides on them: `claim_grants` is a list of
-- { value, role, brandIds }, in the order in which they are tried.
alter table company_sign_ins
  add default_brand_ids uuid[],
  add claim text,
  add claim_grants jsonb not null default '[]';

-- The brands to which a data set belongs; null: the whole organization
alter table data_sets add brand_ids uuid[];

-- Whether members with only some brands see the names of the group's other brands where these hold a ZIP code
alter table brand_groups add shows_names boolean not null default false;

-- Statements of an organization read the brand with each ZIP code, because of the policy on brands. Without it in the
-- index, they would read the table, which takes twice as long for 30,000 ZIP codes.
create index brand_zips_held_brand on brand_zips (organization_id, zip) include (brand_id) where state <> 'removed';
drop index brand_zips_held;
alter index brand_zips_held_brand rename to brand_zips_held;

-- The vertical whose scores reviews and brands show first. Null: none chosen. Room: account.
alter table organizations add trade text check (trade <> '');
-- False: what owners request goes live at once. Room: account.
alter table organizations add owners_need_review boolean not null default true;

-- Room: notify. The visits of members to the overview, which lists what has changed between two of them.
create table overview_visits (
  organization_id uuid not null,
  person_id uuid not null,
  -- The latest time in the current visit
  seen_at timestamptz not null default now(),
  -- The latest time in the visit before. Null: this is the first
  seen_before timestamptz,
  primary key (organization_id, person_id),
  foreign key (organization_id, person_id) references memberships on delete cascade
);
