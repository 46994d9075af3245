-- Data sets of an organization: an amount for each ZIP code, such as its own jobs or revenue. They replace the measures
-- that people uploaded for one plan.

-- Room: own-data.
create table data_sets (
  organization_id uuid not null references organizations,
  id uuid primary key default gen_random_uuid(),
  slug text not null check (slug <> ''),
  name text not null check (name <> ''),
  -- How rows add up to the amount of a ZIP code, and ZIP codes to the amount of a territory
  adds_up text not null check (adds_up in ('sum', 'mean')),
  -- What it counts: count, dollars, or words such as hours
  unit text not null check (unit <> ''),
  -- The time that it covers, in words: 2025
  period text,
  -- Number of the upload that counts
  upload integer not null,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  unique (organization_id, id)
);
create unique index data_sets_slug on data_sets (organization_id, slug);
create unique index data_sets_name on data_sets (organization_id, lower(name));

-- Room: own-data. The current upload and those that can be restored.
create table data_set_uploads (
  organization_id uuid not null,
  data_set_id uuid not null,
  number integer not null check (number > 0),
  -- ZIP codes that have an amount, in order
  zips text[] not null,
  -- In the order of the ZIP codes
  amounts float8[] not null check (cardinality(amounts) = cardinality(zips)),
  -- Number of rows behind each amount
  row_counts integer[] not null check (cardinality(row_counts) = cardinality(zips)),
  zip_count integer not null generated always as (cardinality(zips)) stored,
  -- The sum of the amounts, or their mean, weighted by rows. Adding up fifty national data sets takes a second.
  total float8 not null,
  -- How the file was read, and the number of its rows by outcome: own-data/data-sets.ts
  report jsonb not null,
  uploaded_by jsonb not null,
  uploaded_at timestamptz not null default now(),
  primary key (data_set_id, number),
  foreign key (organization_id, data_set_id) references data_sets (organization_id, id) on delete cascade
);

-- Room: own-data. Rows that were uploaded in a month.
create table data_set_rows (
  organization_id uuid not null references organizations,
  -- First day of the month
  period date not null,
  rows integer not null,
  primary key (organization_id, period)
);

-- Room: plans. The data sets in a plan's totals, comparisons, and exports.
create table plan_data_sets (
  organization_id uuid not null,
  plan_id uuid not null,
  data_set_id uuid not null,
  primary key (plan_id, data_set_id),
  foreign key (organization_id, plan_id) references territory_plans (organization_id, id) on delete cascade,
  foreign key (organization_id, data_set_id) references data_sets (organization_id, id) on delete cascade
);
create index plan_data_sets_data_set on plan_data_sets (organization_id, data_set_id);

-- A measure becomes a data set with its name, or with the name of its plan, too, if several plans have a measure of
-- that name. A data set's name has at most 120 characters.
create table moved_measures as
with named as (
  select m.*, gen_random_uuid() as id,
    case when count(*) over (partition by m.organization_id, lower(m.name)) = 1 then m.name
      else rtrim(left(m.name || ' (' || p.name || ')', 120)) end as new_name
  from plan_measures m join territory_plans p on p.organization_id = m.organization_id and p.id = m.plan_id
), counted as (
  select named.*,
    row_number() over (partition by organization_id, lower(new_name) order by created_at, plan_id) as same_name
  from named
), unique_named as (
  select counted.*,
    case when same_name = 1 then new_name else left(new_name, 111) || ' ' || left(id::text, 8) end as final_name
  from counted
), slugged as (
  select unique_named.*,
    coalesce(nullif(trim(both '-' from left(regexp_replace(lower(final_name), '[^a-z0-9]+', '-', 'g'), 50)), ''),
      'data') as base
  from unique_named
)
select slugged.*,
  case when row_number() over (partition by organization_id, base order by created_at, id) = 1 then base
    else base || '-' || left(id::text, 8) end as slug
from slugged;

insert into data_sets (organization_id, id, slug, name, adds_up, unit, upload, created_by, created_at)
select organization_id, id, slug, final_name, 'sum', 'count', 1, created_by, created_at from moved_measures;

insert into data_set_uploads
  (organization_id, data_set_id, number, zips, amounts, row_counts, total, report, uploaded_by, uploaded_at)
select organization_id, id, 1, zips, amounts, array_fill(1, array[cardinality(zips)]),
  (select coalesce(sum(amount), 0) from unnest(amounts) as amount),
  jsonb_build_object('summary', 'Uploaded as a measure of a plan.', 'rows', cardinality(zips),
    'counts', jsonb_build_object('placed', cardinality(zips)), 'suppressedBelow', 0, 'suppressedZips', 0),
  created_by, created_at
from moved_measures;

insert into plan_data_sets (organization_id, plan_id, data_set_id)
select organization_id, plan_id, id from moved_measures;

update territory_plans p
set settings = jsonb_set(settings, '{balance}', to_jsonb(m.final_name))
from moved_measures m
where p.organization_id = m.organization_id and p.id = m.plan_id and p.settings ->> 'balance' = m.name;

drop table plan_measures;
drop table moved_measures;
