-- Deleting expired rows (src/run/cleanup): which process does it, and indexes that find them oldest first.

-- Room: db. Work that one process does for all. A process that dies stops renewing its lease, and another
-- one takes it over.
create table leases (
  -- the kind of work
  name text primary key,
  holder uuid not null,
  expires_at timestamptz not null
);

create index password_links_expiry on password_links (expires_at);
create index invitations_expiry on invitations (expires_at);
create index known_browsers_age on known_browsers (last_used_at);
create index authenticator_apps_unfinished on authenticator_apps (created_at) where confirmed_at is null;
create index outbox_unsent on outbox (expires_at) where done_at is null;
create index limit_counters_expiry on limit_counters (expire);
create index usage_reservations_expiry on usage_reservations (expires_at);
create index usage_days_day on usage_days (day);
create index zip_ledger_month on zip_ledger (month);

-- It found the old calls of one organization.
drop index idempotent_calls_old;
create index idempotent_calls_age on idempotent_calls (called_at);

comment on function delete_expired_import_reports() is
  'Unused. Processes of the version before call it during an upgrade.';
