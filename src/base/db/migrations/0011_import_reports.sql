-- Reports on checked import files, until their ZIP codes are sent to review. Room: territory.
create table import_reports (
  id uuid primary key default gen_random_uuid(),
  organization_id uuid not null,
  brand_id uuid not null,
  -- what the page shows: figures, the findings that need attention, the ZIP codes to request
  summary jsonb not null,
  -- all findings as CSV, compressed with gzip
  csv bytea not null check (octet_length(csv) <= 16777216),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
create index import_reports_organization on import_reports (organization_id, created_at);
create index import_reports_expiry on import_reports (expires_at);

-- Deletes expired reports of all organizations, some at a time. It runs with the rights of its owner,
-- because the transaction of an organization sees its own rows only.
create function delete_expired_import_reports() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from import_reports where id in (
    select id from import_reports where expires_at < now() limit 100 for update skip locked
  )
$$;
