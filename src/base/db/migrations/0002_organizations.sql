-- Organizations with their members, keys, brands, territories, share links, and metered use.
-- Each row of an organization has its organization_id, even if its brand would identify it, so that one
-- policy separates organizations in all tables (0006_row_level_security.sql).

-- Room: account.
create table organizations (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (name <> ''),
  created_at timestamptz not null default now()
);

-- The subscription of an organization. A trial ends at trial_ends_at without further action.
create table plans (
  organization_id uuid primary key references organizations,
  status text not null check (status in ('trial', 'active', 'past_due', 'cancelled')),
  trial_ends_at timestamptz check ((status = 'trial') = (trial_ends_at is not null)),
  seats integer not null check (seats > 0),
  monthly_units integer not null check (monthly_units >= 0),
  -- if false, no key and no member of the organization may change territories
  write_entitlement boolean not null,
  changed_at timestamptz not null default now()
);

create table people (
  id uuid primary key default gen_random_uuid(),
  -- as entered; unique regardless of case
  email text not null check (email like '%_@_%'),
  name text not null check (name <> ''),
  -- null: no password yet
  password_hash text,
  created_at timestamptz not null default now()
);
create unique index people_email on people (lower(email));

create table memberships (
  organization_id uuid not null references organizations,
  person_id uuid not null references people,
  role text not null check (role in ('owner', 'admin', 'reviewer', 'member')),
  created_at timestamptz not null default now(),
  primary key (organization_id, person_id)
);
create index memberships_person on memberships (person_id);

-- Room: territory.
create table brands (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (name <> ''),
  created_at timestamptz not null default now(),
  unique (organization_id, slug),
  -- lets foreign keys require that a row and its brand belong to the same organization
  unique (organization_id, id)
);
-- people refer to brands by name, in upper or lower case
create unique index brands_name on brands (organization_id, lower(name));

-- Room: account. Only the hash of a key is stored.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations,
  name text not null check (name <> ''),
  -- SHA-256 of the whole key
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  -- the key's last four characters, so that people recognize it
  hint text not null,
  -- all brands of the organization, including future ones; otherwise the brands in api_key_brands
  all_brands boolean not null,
  may_write boolean not null,
  created_by uuid references people,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  unique (organization_id, id)
);
-- A key is found by its hint, which isn't secret; then its hash is compared in constant time.
create index api_keys_hint on api_keys (hint) where revoked_at is null;
create index api_keys_of on api_keys (organization_id, created_at);
create table api_key_brands (
  organization_id uuid not null,
  key_id uuid not null,
  brand_id uuid not null,
  primary key (key_id, brand_id),
  foreign key (organization_id, key_id) references api_keys (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);

-- Room: territory. Without a row, the brand has never held the ZIP code. There is no foreign key to zips:
-- an import of boundaries replaces all of its rows, and territories remain.
-- Times are those of the statement: its transaction may have begun before the transaction of another
-- change that it waited for.
create table brand_zips (
  organization_id uuid not null,
  brand_id uuid not null,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  state text not null check (state in ('pending', 'live', 'removed')),
  changed_at timestamptz not null default statement_timestamp(),
  primary key (brand_id, zip),
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
-- finds the brands of an organization that hold a ZIP code
create index brand_zips_held on brand_zips (organization_id, zip) where state <> 'removed';

-- The review queue: one entry for each requested ZIP code.
create table reviews (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  brand_id uuid not null,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  -- the same for all ZIP codes of one request
  batch_id uuid not null,
  -- withdrawn: the ZIP code was removed before the decision
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  -- the state that a rejection restores; null: no row in brand_zips
  state_before text check (state_before = 'removed'),
  -- the reason for the request
  note text,
  -- {"kind": "key" | "person" | "operator", "id": …, "name": …}
  requested_by jsonb not null,
  requested_at timestamptz not null default statement_timestamp(),
  decided_by jsonb,
  decided_at timestamptz,
  reason text,
  foreign key (organization_id, brand_id) references brands (organization_id, id),
  check ((status = 'pending') = (decided_at is null))
);
create unique index reviews_open on reviews (brand_id, zip) where status = 'pending';
create index reviews_queue on reviews (organization_id, requested_at, zip, id);
-- finds the latest review of a ZIP code
create index reviews_of_zip on reviews (brand_id, zip, requested_at desc);

-- Removals, with the earlier state of each removed ZIP code for undo.
create table removals (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  brand_id uuid not null,
  removed_by jsonb not null,
  removed_at timestamptz not null default statement_timestamp(),
  undone_at timestamptz,
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
create table removal_zips (
  organization_id uuid not null references organizations,
  removal_id uuid not null references removals,
  zip text not null,
  state_before text not null check (state_before in ('pending', 'live')),
  changed_at_before timestamptz not null,
  -- the review that the removal withdrew
  review_id uuid references reviews,
  primary key (removal_id, zip)
);

-- The activity trail. Rows are never changed or deleted.
create table activity (
  id bigint generated always as identity primary key,
  organization_id uuid not null references organizations,
  at timestamptz not null default statement_timestamp(),
  actor jsonb not null,
  brand_id uuid,
  action text not null,
  -- one sentence for people
  summary text not null,
  zips text[] not null default '{}',
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  removal_id uuid references removals,
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
create index activity_trail on activity (organization_id, id);
-- finds the actions of a key or person
create index activity_of_actor on activity (organization_id, (actor->>'id'), id);
create index activity_of_brand on activity (brand_id, id);
create function activity_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'activity is append-only';
end $$;
create trigger activity_append_only before update or delete or truncate on activity
  for each statement execute function activity_is_append_only();

-- An organization's own weights for a vertical, which replace the public ones.
create table targeting_profiles (
  organization_id uuid not null references organizations,
  vertical text not null,
  -- {"signal": weight}
  weights jsonb not null,
  changed_at timestamptz not null default now(),
  primary key (organization_id, vertical)
);

-- Room: share. The id is the link's public token, the code its short form.
create table share_links (
  id uuid primary key default gen_random_uuid(),
  code text not null unique,
  organization_id uuid not null,
  brand_id uuid not null,
  -- brand: shows the brand's current territory; zip_snapshot: its territory at frozen_at
  kind text not null check (kind in ('brand', 'zip_snapshot')),
  title text,
  vertical text,
  hide_branding boolean not null default false,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  frozen_at timestamptz check ((kind = 'zip_snapshot') = (frozen_at is not null)),
  revoked_at timestamptz,
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
-- lists links, newest first
create index share_links_of on share_links (organization_id, created_at desc, id desc);
create table share_link_zips (
  organization_id uuid not null references organizations,
  share_id uuid not null references share_links,
  zip text not null,
  state text not null check (state in ('pending', 'live')),
  primary key (share_id, zip)
);

-- Room: metering. Units used or reserved in a month (UTC, its first day).
create table usage_periods (
  organization_id uuid not null references organizations,
  period date not null,
  units integer not null check (units >= 0),
  primary key (organization_id, period)
);
-- Units of running calls. They are already counted in usage_periods, and returned if the call fails or its
-- process dies.
create table usage_reservations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations,
  period date not null,
  units integer not null check (units > 0),
  expires_at timestamptz not null
);
create index usage_reservations_of on usage_reservations (organization_id, expires_at);
create table usage_days (
  organization_id uuid not null references organizations,
  day date not null,
  tool text not null,
  calls integer not null,
  units integer not null,
  primary key (organization_id, day, tool)
);

-- Counters of rate limits that outlive a process. rate-limiter-flexible requires these columns.
create table limit_counters (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Answers to writes with an idempotency key: a repeated request within a day returns the first answer.
create table idempotent_calls (
  organization_id uuid not null references organizations,
  tool text not null,
  key text not null,
  -- SHA-256 of the input; a repeated key with another input is refused
  input_hash bytea not null,
  answer jsonb not null,
  called_at timestamptz not null default now(),
  primary key (organization_id, tool, key)
);
-- finds answers that have expired
create index idempotent_calls_old on idempotent_calls (organization_id, called_at);
