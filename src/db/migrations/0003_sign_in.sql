-- Who is signed in where, and who was asked to join. Room: account.

-- A browser in which a person is signed in, until they sign out, it lies idle or its time is over.
create table sessions (
  -- by which people name it; it opens nothing
  id uuid primary key default gen_random_uuid(),
  -- SHA-256 of what the cookie holds
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  person_id uuid not null references people,
  -- for which the person acts, of those they belong to; null: none was chosen
  chosen_organization uuid references organizations,
  created_at timestamptz not null default now(),
  -- to the minute
  last_seen_at timestamptz not null default now(),
  -- however much it is used
  expires_at timestamptz not null,
  -- as told at sign-in, by which people tell their browsers apart
  user_agent text not null,
  client text not null
);
create index sessions_of on sessions (person_id, created_at);
-- those that are over are swept
create index sessions_over on sessions (last_seen_at);

-- A link that lets one person in, once.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations,
  -- SHA-256 of what the link holds
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  role text not null check (role in ('owner', 'admin', 'reviewer', 'member')),
  -- whom it is meant for, as its maker calls them
  name text not null check (name <> ''),
  created_by uuid not null references people,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_by uuid references people,
  accepted_at timestamptz check ((accepted_at is null) = (accepted_by is null)),
  revoked_at timestamptz
);
create index invitations_of on invitations (organization_id, created_at);
