-- Links by which people choose a password without knowing their last one. Room: account.

-- One a person: a newer link takes the place of the one before.
create table password_links (
  person_id uuid primary key references people,
  -- SHA-256 of what the link holds
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  expires_at timestamptz not null
);
