-- Company sign-in: people of an organization sign in with their company's OpenID Connect provider. Room: account.

create table company_sign_ins (
  organization_id uuid primary key references organizations,
  -- https, without a slash at the end unless the provider's own name for itself has one
  issuer text not null check (issuer <> ''),
  client_id text not null check (client_id <> ''),
  -- Encrypted if the service has a SECRET_KEY. The service sends it to the provider, so a hash isn't enough.
  client_secret text not null,
  -- The role of people who sign in for the first time; null: only members may sign in
  default_role text check (default_role in ('owner', 'admin', 'reviewer', 'member')),
  required text not null default 'off' check (required in ('off', 'all', 'all-but-one')),
  -- The owner who keeps a password
  password_owner uuid references people,
  check ((required = 'all-but-one') = (password_owner is not null)),
  -- The last failure at the provider, in our words, for owners
  problem text,
  problem_at timestamptz,
  check ((problem is null) = (problem_at is null)),
  updated_at timestamptz not null default now()
);

-- Room: account. People with an email address of a domain sign in at its organization's provider.
create table company_domains (
  -- Lowercase. An email address leads to one provider, so a domain belongs to one organization.
  domain text primary key check (domain = lower(domain)),
  organization_id uuid not null references company_sign_ins on delete cascade
);
create index company_domains_of on company_domains (organization_id, domain);

-- Room: account. Accounts at the provider that have signed in.
create table company_identities (
  organization_id uuid not null references organizations,
  issuer text not null,
  -- The provider's id of the account, which unlike an email address never belongs to someone else
  subject text not null,
  person_id uuid not null references people,
  last_sign_in_at timestamptz not null default now(),
  -- When the provider ended the account's access; null: it hasn't
  ended_at timestamptz,
  primary key (organization_id, issuer, subject)
);
create index company_identities_person on company_identities (organization_id, person_id);

-- Room: account. Sign-ins at the provider, which the service checks again and again while a session or a connector uses
-- them.
create table company_grants (
  organization_id uuid not null references company_sign_ins on delete cascade,
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null,
  issuer text not null,
  subject text not null,
  -- The provider's id of its own session, for back-channel logout; null: it has none
  provider_session text,
  -- Encrypted as the client secret; null: the provider issued none, so the sign-in can't be checked
  refresh_token text,
  -- The last time when the provider confirmed the account
  checked_at timestamptz not null default now(),
  -- When to check it next. A check under way moves it, so that no other process makes the same check.
  check_at timestamptz not null,
  unique (organization_id, id),
  -- Leaving the organization ends the member's sign-ins.
  foreign key (organization_id, person_id)
    references memberships (organization_id, person_id) on delete cascade
);
create index company_grants_member on company_grants (organization_id, person_id);
create index company_grants_due on company_grants (check_at);
create index company_grants_checked on company_grants (checked_at);
create index company_grants_account on company_grants (organization_id, subject);

-- Room: account. Sign-ins under way: the browser has left for the provider.
create table company_attempts (
  organization_id uuid not null references company_sign_ins on delete cascade,
  -- SHA-256 of the browser's cookie, so that only this browser can finish the sign-in
  secret_hash bytea primary key check (length(secret_hash) = 32),
  state text not null,
  nonce text not null,
  code_verifier text not null,
  -- The page that the person asked for
  next text not null,
  -- SHA-256 of the token of an invitation to accept
  invitation_hash bytea check (length(invitation_hash) = 32),
  expires_at timestamptz not null
);
create index company_attempts_expiry on company_attempts (expires_at);

-- Room: account. Logout tokens that were used, so that none works twice.
create table company_logouts (
  organization_id uuid not null references organizations,
  -- SHA-256 of the token's id
  token_hash bytea not null check (length(token_hash) = 32),
  expires_at timestamptz not null,
  primary key (organization_id, token_hash)
);
create index company_logouts_expiry on company_logouts (expires_at);

-- A session or a connection that exists because of a sign-in at the provider opens only that organization, and ends
-- with the sign-in.
alter table sessions add company_grant uuid references company_grants on delete cascade;
create index sessions_company_grant on sessions (company_grant) where company_grant is not null;
alter table oauth_connections
  add company_grant uuid,
  add foreign key (organization_id, company_grant) references company_grants (organization_id, id) on delete cascade;
create index oauth_connections_company_grant on oauth_connections (organization_id, company_grant)
  where company_grant is not null;

-- When the person proved that they receive email at their address; null: unknown
alter table people add email_confirmed_at timestamptz;

-- Whether a member opens the organization only by company sign-in. An owner keeps the password only as an owner.
create function needs_company_sign_in(organization uuid, person uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from company_sign_ins c
    where c.organization_id = organization and c.required <> 'off' and not exists (
      select from memberships m
      where m.organization_id = organization and m.person_id = person and m.role = 'owner'
        and c.password_owner = person
    )
  )
$$;

-- Whether a person has organizations, and all of them need company sign-in: other ways to sign in are closed then.
create function signs_in_only_by_company(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(bool_and(needs_company_sign_in(organization_id, person)), false)
  from memberships where person_id = person
$$;
