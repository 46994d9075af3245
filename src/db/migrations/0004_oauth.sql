-- Connectors that people let act for them. Room: oauth.

-- What the authorization server keeps, of whatever kind: requests under way, codes, tokens, grants,
-- clients that registered themselves.
create table oauth_records (
  kind text not null,
  -- SHA-256: of a code or a token the id is the secret itself
  id_hash bytea not null check (length(id_hash) = 32),
  payload jsonb not null,
  -- of a grant, and of all that came of it
  grant_id text,
  -- of a client, and of what was made for it
  client_id text,
  -- null: never
  expires_at timestamptz,
  consumed_at timestamptz,
  primary key (id_hash, kind)
);
create index oauth_records_of_grant on oauth_records (grant_id);
create index oauth_records_of_client on oauth_records (client_id);
-- those that are over are swept
create index oauth_records_over on oauth_records (expires_at);

-- What a person has let a client do, and for which organisation.
create table oauth_connections (
  id uuid primary key default gen_random_uuid(),
  grant_id text not null unique,
  organization_id uuid not null,
  person_id uuid not null,
  client_id text not null,
  -- as the client called itself
  client_name text not null check (client_name <> ''),
  -- where it was answered: a host, or what opens an app
  redirect_to text not null,
  may_write boolean not null,
  created_at timestamptz not null default now(),
  -- to the minute
  last_used_at timestamptz,
  expires_at timestamptz not null,
  -- who leaves takes their connections along: coming back does not bring them back
  foreign key (organization_id, person_id)
    references memberships (organization_id, person_id) on delete cascade
);
create index oauth_connections_of on oauth_connections (person_id, created_at);
create index oauth_connections_over on oauth_connections (expires_at);

-- The one secret of which cookies are signed while somebody is asked for their consent.
create table oauth_cookie_key (
  only_one boolean primary key default true check (only_one),
  secret text not null
);

-- Whether a person may change territories, where the plan lets anybody. Room: account.
alter table memberships add may_write boolean not null default true;
