-- Sessions and invitations. Room: account.

-- Browsers in which people are signed in. A session ends with sign-out, after idle time, or at expires_at.
create table sessions (
  -- identifies the session on pages; it isn't secret
  id uuid primary key default gen_random_uuid(),
  -- SHA-256 of the cookie's secret
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  person_id uuid not null references people,
  -- the organization that the person works in; null: none chosen yet
  chosen_organization uuid references organizations,
  created_at timestamptz not null default now(),
  -- rounded to the minute
  last_seen_at timestamptz not null default now(),
  -- regardless of use
  expires_at timestamptz not null,
  -- as sent at sign-in, so that people recognize the browser
  user_agent text not null,
  client text not null
);
create index sessions_of on sessions (person_id, created_at);
-- finds expired sessions for cleanup
create index sessions_over on sessions (last_seen_at);

-- Links by which one person may join an organization, once.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organizations,
  -- SHA-256 of the link's token
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  role text not null check (role in ('owner', 'admin', 'reviewer', 'member')),
  -- the invited person's name, as its creator entered it
  name text not null check (name <> ''),
  created_by uuid not null references people,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_by uuid references people,
  accepted_at timestamptz check ((accepted_at is null) = (accepted_by is null)),
  revoked_at timestamptz
);
create index invitations_of on invitations (organization_id, created_at);
