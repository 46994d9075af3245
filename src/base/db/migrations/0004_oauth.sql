-- Connectors: apps that people authorized to act for them. Room: oauth.

-- All records of the authorization server: open requests, codes, tokens, grants, and registered clients.
create table oauth_records (
  kind text not null,
  -- SHA-256 of the id, because the id of a code or token is its secret
  id_hash bytea not null check (length(id_hash) = 32),
  payload jsonb not null,
  -- the grant that the record is or belongs to
  grant_id text,
  -- the client that the record is or belongs to
  client_id text,
  -- null: doesn't expire
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (id_hash, kind)
);
create index oauth_records_of_grant on oauth_records (grant_id);
create index oauth_records_of_client on oauth_records (client_id);
-- finds expired records for cleanup
create index oauth_records_over on oauth_records (expires_at);

-- The access that a person gave a client to one organization.
create table oauth_connections (
  id uuid primary key default gen_random_uuid(),
  grant_id text not null unique,
  organization_id uuid not null,
  person_id uuid not null,
  client_id text not null,
  -- as registered by the client
  client_name text not null check (client_name <> ''),
  -- where the consent was sent: a host, or the URL scheme of an app
  redirect_to text not null,
  may_write boolean not null,
  created_at timestamptz not null default now(),
  -- rounded to the minute
  last_used_at timestamptz,
  expires_at timestamptz not null,
  -- Leaving an organization ends a member's connections. Rejoining doesn't restore them.
  foreign key (organization_id, person_id)
    references memberships (organization_id, person_id) on delete cascade
);
create index oauth_connections_of on oauth_connections (person_id, created_at);
create index oauth_connections_over on oauth_connections (expires_at);

-- The only row has the secret that signs the cookies of open consent requests.
create table oauth_cookie_key (
  only_one boolean primary key default true check (only_one),
  secret text not null
);

-- Whether a member may change territories, if the subscription allows changes at all. Room: account.
alter table memberships add may_write boolean not null default true;
