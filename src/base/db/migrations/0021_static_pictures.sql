-- Signed URLs of pictures, and which pictures an organization has paid for.

-- Room: account. What an organization signs URLs with. Another row replaces it, which ends all URLs.
create table signing_secrets (
  organization_id uuid primary key references organizations,
  -- 256 random bits, encrypted if SECRET_KEY is set (account/secret-box.ts)
  secret text not null,
  created_at timestamptz not null default now()
);

-- Room: static. Drawing one of these again is free.
create table paid_pictures (
  organization_id uuid not null references organizations,
  -- SHA-256 of everything that the picture shows, other than imported data
  picture bytea not null check (length(picture) = 32),
  paid_at timestamptz not null default now(),
  primary key (organization_id, picture)
);
create index paid_pictures_age on paid_pictures (paid_at);
