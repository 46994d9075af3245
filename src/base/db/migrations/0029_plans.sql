-- Plans: named drafts of territories. Nothing in them is live until a plan is applied.

-- Room: plans.
create table territory_plans (
  organization_id uuid not null references organizations,
  id uuid primary key default gen_random_uuid(),
  name text not null check (name <> ''),
  -- For people: Dallas-Fort Worth-Arlington, TX
  market text not null,
  -- ZIP codes of the market when the plan was created, in order. Later imports don't change them.
  zips text[] not null,
  -- plans/settings.ts
  settings jsonb not null,
  -- Increases with each change, so that edits of an older state are refused
  version integer not null default 1,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  changed_by jsonb not null,
  changed_at timestamptz not null default now(),
  unique (organization_id, id)
);
create unique index territory_plans_name on territory_plans (organization_id, lower(name));

create table plan_territories (
  organization_id uuid not null,
  plan_id uuid not null,
  -- Identifies it within the plan, also after it has another name
  number smallint not null check (number > 0),
  name text not null check (name <> ''),
  -- The brand that receives the ZIP codes when the plan is applied
  brand_id uuid,
  -- In order; no ZIP code is in two territories of a plan
  zips text[] not null,
  primary key (plan_id, number),
  unique (plan_id, brand_id),
  foreign key (organization_id, plan_id) references territory_plans (organization_id, id) on delete cascade,
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete set null (brand_id)
);
create index plan_territories_brand on plan_territories (organization_id, brand_id);
