-- Second factors, browsers that people have used before, and confirmed sessions. Room: account.

-- When the person last proved in this session who they are. Whatever gives others access asks again
-- some minutes later.
alter table sessions add confirmed_at timestamptz;
update sessions set confirmed_at = created_at;
alter table sessions
  alter confirmed_at set default now(),
  alter confirmed_at set not null,
  -- The password was right, and the second factor is missing. Such a session opens nothing.
  add awaits_factor boolean not null default false;

-- An authenticator app that computes one-time codes (TOTP, RFC 6238).
create table authenticator_apps (
  person_id uuid primary key references people,
  -- Base32. The service computes the same codes, so a hash wouldn't do.
  secret text not null,
  created_at timestamptz not null default now(),
  -- null: being set up
  confirmed_at timestamptz,
  -- The time step of the last accepted code: no code works twice.
  last_step bigint
);

-- Replace a lost second factor. Each works once and is then deleted.
create table recovery_codes (
  person_id uuid not null references people,
  -- SHA-256; a code has 80 random bits
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (person_id, code_hash)
);

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people,
  -- as named by its owner
  name text not null check (name <> ''),
  -- base64url, from the authenticator
  credential_id text not null unique,
  -- COSE
  public_key bytea not null,
  -- Signatures made, if the authenticator counts them: a copy would fall behind.
  counter bigint not null,
  -- how browsers reach the authenticator
  transports text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of on passkeys (person_id, created_at);

-- Random texts that a passkey signs. Each is deleted when it is used.
create table passkey_challenges (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  -- null: any passkey of this site may sign it
  person_id uuid references people,
  purpose text not null check (purpose in ('create', 'use')),
  expires_at timestamptz not null
);
create index passkey_challenges_over on passkey_challenges (expires_at);

-- Browsers in which a person has signed in. Wrong passwords from elsewhere don't lock them.
create table known_browsers (
  person_id uuid not null references people,
  -- SHA-256 of the browser's cookie, the same for everyone who signs in there
  secret_hash bytea not null check (length(secret_hash) = 32),
  last_used_at timestamptz not null default now(),
  primary key (person_id, secret_hash)
);
create index known_browsers_by_secret on known_browsers (secret_hash);

alter table organizations add requires_second_factor boolean not null default false;

-- Whether a person has a second factor. It runs with the rights of its owner: an organization can see
-- which members have one, and nothing else about it.
create function has_second_factor(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from authenticator_apps where person_id = person and confirmed_at is not null
  ) or exists (select from passkeys where person_id = person)
$$;
