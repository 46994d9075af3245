-- Places of an organization (its offices, stores, and competitors), and how customers reach its brands.

-- Room: places.
create table places (
  organization_id uuid not null references organizations,
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> ''),
  kind text not null check (kind in ('office', 'store', 'depot', 'competitor', 'other')),
  -- Null: it is about the whole organization
  brand_id uuid,
  point geometry(point, 4326) not null,
  -- Where the point comes from: coordinates, the geocoder, or the middle of the ZIP code
  located_by text not null check (located_by in ('coordinates', 'address', 'zip')),
  -- In which the point lies, or which was given; null outside of all
  zip text,
  address text check (address <> ''),
  phone text check (phone <> ''),
  email text check (email <> ''),
  url text check (url <> ''),
  -- Opening hours, in words
  hours text check (hours <> ''),
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  changed_by jsonb not null,
  changed_at timestamptz not null default now(),
  unique (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
create index places_name on places (organization_id, lower(name));
create index places_brand on places (organization_id, brand_id);

-- Room: places. What lookups and locators tell customers of a brand.
create table brand_contacts (
  organization_id uuid not null,
  brand_id uuid primary key,
  -- Null: the brand's own name
  public_name text check (public_name <> ''),
  phone text check (phone <> ''),
  email text check (email <> ''),
  url text check (url <> ''),
  changed_by jsonb not null,
  changed_at timestamptz not null default now(),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);

-- Room: serving, by the triggers below. Counts the changes of what lookups answer from, so that each process knows
-- whether what it remembers is current.
create table serving_versions (
  organization_id uuid primary key references organizations on delete cascade,
  version bigint not null
);

-- Runs when a transaction commits, so that versions are in the order of the commits and transactions wait for each other
-- only while they end. As the owner, because one transaction may change rows of several organizations.
create function advance_serving_version() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  organization uuid := case tg_op when 'DELETE' then old.organization_id else new.organization_id end;
  advance text := pg_current_xact_id()::text || ' ' || organization;
begin
  -- Once in a transaction, not for each of its rows
  if current_setting('territory.advanced', true) is distinct from advance then
    insert into serving_versions as stored (organization_id, version)
    select id, 1 from organizations where id = organization
    on conflict (organization_id) do update set version = stored.version + 1;
    perform set_config('territory.advanced', advance, true);
  end if;
  return null;
end $$;

do $$ declare name text; begin
  foreach name in array array['brands', 'brand_zips', 'brand_contacts', 'places', 'brand_groups',
                              'brand_group_brands', 'zip_reserves'] loop
    execute format('create constraint trigger serving_version after insert or update or delete on %I
      deferrable initially deferred for each row execute function advance_serving_version()', name);
  end loop;
end $$;

-- Room: serving. Pages and forms on websites of the organization that tell customers which brand serves them.
create table locators (
  organization_id uuid not null references organizations,
  -- The token
  id uuid primary key default gen_random_uuid(),
  -- Accepted instead of the token
  code text not null unique check (code <> ''),
  title text not null check (title <> ''),
  -- The brands of a group, or chosen ones; null: all brands, with those that are added later
  group_id uuid,
  brand_ids uuid[],
  -- The organization's own words by language
  words jsonb not null default '{}',
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  -- Gets the forms of people who want to buy a franchise; null: they can't ask
  candidate_email text check (candidate_email <> ''),
  -- The vertical whose demand they learn as a class
  vertical text check (vertical <> ''),
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  changed_by jsonb not null,
  changed_at timestamptz not null default now(),
  revoked_at timestamptz,
  unique (organization_id, id),
  check (group_id is null or brand_ids is null),
  foreign key (organization_id, group_id) references brand_groups (organization_id, id)
);
create index locators_group on locators (organization_id, group_id);

-- A locator is part of a website, so it outlives its group and continues with the brands that the group had.
create function keep_brands_of_locators() returns trigger language plpgsql as $$ begin
  update locators set group_id = null, brand_ids = array(
    select m.brand_id from brand_group_brands m
    where m.organization_id = old.organization_id and m.group_id = old.id)
  where organization_id = old.organization_id and group_id = old.id;
  return old;
end $$;
create trigger locators_keep_brands before delete on brand_groups
  for each row execute function keep_brands_of_locators();

-- How often customers asked about a ZIP code on a day (UTC), without anything about them.
create table locator_questions (
  organization_id uuid not null,
  locator_id uuid not null,
  day date not null,
  zip text not null,
  is_served boolean not null,
  times int not null default 1,
  primary key (locator_id, day, zip, is_served),
  foreign key (organization_id, locator_id) references locators (organization_id, id) on delete cascade
);
create index locator_questions_day on locator_questions (day);

-- Whether a shared map shows the places of its brand, as they are now. Competitors never are on one. Room: share.
alter table share_links add shows_places boolean not null default false;
