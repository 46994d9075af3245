-- Measures that people upload for a plan: an amount for each ZIP code, such as their own jobs.

-- Room: plans.
create table plan_measures (
  organization_id uuid not null,
  plan_id uuid not null,
  name text not null check (name <> ''),
  -- ZIP codes of the plan's market that have an amount, in order. The others count as 0.
  zips text[] not null,
  -- In the order of the ZIP codes
  amounts float8[] not null check (cardinality(amounts) = cardinality(zips)),
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  foreign key (organization_id, plan_id) references territory_plans (organization_id, id) on delete cascade
);
create unique index plan_measures_name on plan_measures (organization_id, plan_id, lower(name));
