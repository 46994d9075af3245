-- Links that show a plan to anyone who has them, read-only, until they expire or are revoked.

-- Room: plans.
create table plan_shares (
  organization_id uuid not null,
  -- The token
  id uuid primary key default gen_random_uuid(),
  -- Accepted instead of the token
  code text not null unique check (code <> ''),
  plan_id uuid not null,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (organization_id, plan_id) references territory_plans (organization_id, id) on delete cascade
);
create index plan_shares_plan on plan_shares (organization_id, plan_id);
