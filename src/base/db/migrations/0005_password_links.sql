-- Links for choosing a password without the current one. Room: account.

-- One per person: a new link replaces the earlier one.
create table password_links (
  person_id uuid primary key references people,
  -- SHA-256 of the link's token
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  expires_at timestamptz not null
);
