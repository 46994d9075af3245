-- Email: messages waiting to be sent, sign-ups waiting for the confirmation of an address, and
-- invitations sent by email.

-- Room: mail. No row contains the secret of a link: links are created when a message is sent.
create table outbox (
  id uuid primary key default gen_random_uuid(),
  -- what the message is about; src/people/account/letters/compose.ts lists the kinds
  kind text not null,
  recipient text not null check (recipient like '%_@_%'),
  -- what the message is made from when it is sent; emptied when it is done
  data jsonb not null default '{}',
  queued_at timestamptz not null default now(),
  -- after this time, the message is useless and no longer sent
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- the next attempt; while a process sends the message, when another one may take it over
  due_at timestamptz not null default now(),
  -- the attempt under way
  claim uuid,
  -- why the last attempt failed
  problem text,
  done_at timestamptz,
  -- dropped: there was nothing to send, as for a forgotten password of an unknown address
  outcome text check (outcome in ('sent', 'dropped', 'refused', 'expired')),
  check ((done_at is null) = (outcome is null))
);
create index outbox_waiting on outbox (due_at) where done_at is null;
create index outbox_done on outbox (done_at) where done_at is not null;
-- limits messages per recipient
create index outbox_recipients on outbox (lower(recipient), kind, queued_at);

-- Queues a message unless the recipient got `most_per_hour` of the same kind within an hour, or
-- `most_waiting` messages are waiting. It runs with the rights of its owner: within an organization's
-- transaction, which has no access to the outbox, it can queue messages but not read them.
create function queue_mail(
  new_kind text, new_recipient text, new_data jsonb, hours integer,
  most_per_hour integer, most_waiting integer
) returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into outbox (kind, recipient, data, expires_at)
    select new_kind, new_recipient, new_data, now() + hours * interval '1 hour'
    where (
        select count(*) from outbox
        where lower(recipient) = lower(new_recipient) and kind = new_kind
          and queued_at > now() - interval '1 hour'
      ) < most_per_hour
      and (
        select count(*) from (select from outbox where done_at is null limit most_waiting) as waiting
      ) < most_waiting;
  return found;
end $$;

-- Room: account. People who entered an email address that they haven't confirmed yet. An address may
-- occur several times: otherwise, a stranger could replace someone's sign-up with their own.
create table sign_ups (
  id uuid primary key,
  -- SHA-256 of the link's token; null until the message is sent
  secret_hash bytea unique check (length(secret_hash) = 32),
  email text not null check (email like '%_@_%'),
  name text not null check (name <> ''),
  password_hash text not null,
  -- the name of the organization to create, or the hash of the invitation to accept
  organization text check (organization <> ''),
  invitation_hash bytea check (length(invitation_hash) = 32),
  -- the page that the person asked for before signing up
  next text not null check (length(next) <= 4096),
  expires_at timestamptz not null,
  check ((organization is null) <> (invitation_hash is null))
);
create index sign_ups_expired on sign_ups (expires_at);

-- The email has a link of its own, since that of the page is stored only as a hash.
alter table invitations
  add column email text check (email like '%_@_%'),
  add column mail_hash bytea unique check (length(mail_hash) = 32);
