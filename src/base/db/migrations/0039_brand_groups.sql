-- Groups of brands with a rule about the ZIP codes that several of them hold, and ZIP codes that a group reserves.

-- Room: territory.
create table brand_groups (
  organization_id uuid not null references organizations,
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> ''),
  -- allow: overlaps carry no flag; warn: a flag; block: a ZIP code that one brand holds goes to no other
  rule text not null check (rule in ('allow', 'warn', 'block')),
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  -- The latest change of the name, rule, or brands
  changed_by jsonb not null,
  changed_at timestamptz not null default now(),
  unique (organization_id, id)
);
create unique index brand_groups_name on brand_groups (organization_id, lower(name));

-- Room: territory. A brand may be in several groups.
create table brand_group_brands (
  organization_id uuid not null,
  group_id uuid not null,
  brand_id uuid not null,
  primary key (group_id, brand_id),
  foreign key (organization_id, group_id) references brand_groups (organization_id, id) on delete cascade,
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
create index brand_group_brands_brand on brand_group_brands (organization_id, brand_id);

-- Room: territory. ZIP codes that no brand of the group may request.
create table zip_reserves (
  organization_id uuid not null,
  id uuid primary key default gen_random_uuid(),
  group_id uuid not null,
  -- Sorted
  zips text[] not null check (cardinality(zips) > 0),
  reason text not null check (reason <> ''),
  -- The last day. It ends when it has ended everywhere in the United States.
  until date not null,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  -- Set if a person ended it early
  ended_at timestamptz,
  ended_by jsonb,
  foreign key (organization_id, group_id) references brand_groups (organization_id, id) on delete cascade
);
create index zip_reserves_group on zip_reserves (organization_id, group_id);
-- finds the reserves that ended long ago
create index zip_reserves_until on zip_reserves (until);

-- Why an undo didn't restore the ZIP code; null if it did, or if the brand held it again
alter table removal_zips add column not_restored text;
