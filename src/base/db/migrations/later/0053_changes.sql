-- Changes of territories that are reviewed as one, go live at one moment in one transaction, and are undone as one.
-- Room: territory.
create table changes (
  organization_id uuid not null references organizations,
  id uuid primary key default gen_random_uuid(),
  -- What made it
  source text not null check (source in ('save', 'plan', 'transfer', 'import', 'request', 'undo')),
  note text,
  made_by jsonb not null,
  made_at timestamptz not null default statement_timestamp(),
  -- The day on which it goes live where the organization is, and the start of that day. Null: when it's approved
  on_day date,
  due_at timestamptz,
  -- waiting: for a review. scheduled: approved, and waits for its day. blocked: its day came, and something kept it from
  -- going live. The others are the ends.
  status text not null
    check (status in ('waiting', 'scheduled', 'blocked', 'live', 'rejected', 'withdrawn', 'undone')),
  -- Why it was rejected, or is blocked
  reason text,
  decided_by jsonb,
  decided_at timestamptz,
  live_at timestamptz,
  -- Who withdrew or undid it
  ended_by jsonb,
  ended_at timestamptz,
  -- The change that it reverts, if it was asked for as an undo
  undoes uuid,
  unique (organization_id, id),
  foreign key (organization_id, undoes) references changes (organization_id, id),
  check ((on_day is null) = (due_at is null)),
  check (status not in ('scheduled', 'blocked') or due_at is not null),
  check (status <> 'blocked' or reason is not null)
);
-- What the elected process looks for
create index changes_due on changes (due_at) where status = 'scheduled';
create index changes_latest on changes (organization_id, made_at desc, id);
create index changes_open on changes (organization_id, status)
  where status in ('waiting', 'scheduled', 'blocked');

-- Changes that wait for their day go live when it begins in the organization's time zone, also in a new one.
create function move_days() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update changes set due_at = on_day::timestamp at time zone new.time_zone
    where organization_id = new.id and status in ('waiting', 'scheduled', 'blocked') and on_day is not null;
  return null;
end $$;
create trigger days_of_changes after update of time_zone on organizations
  for each row when (old.time_zone <> new.time_zone) execute function move_days();

-- What a brand gets and gives up in a change
create table change_zips (
  organization_id uuid not null,
  change_id uuid not null,
  brand_id uuid not null,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  part text not null check (part in ('added', 'removed')),
  -- Whether it still waits with its change
  is_open boolean not null default true,
  -- Why a reviewer left it out
  refused text,
  primary key (change_id, brand_id, zip),
  foreign key (organization_id, change_id) references changes (organization_id, id) on delete cascade,
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
-- A ZIP code of a brand waits in one change at a time, so that what is planned for it has one answer.
create unique index change_zips_open on change_zips (brand_id, zip) where is_open;
create index change_zips_open_zip on change_zips (organization_id, zip) where is_open;

-- Lookups say from which day on a brand serves a ZIP code, and until which: they are read again after each of these.
create constraint trigger serving_version after insert or update or delete on changes
  deferrable initially deferred for each row execute function advance_serving_version();
create constraint trigger serving_version after insert or update or delete on change_zips
  deferrable initially deferred for each row execute function advance_serving_version();

-- The change that a request, a removal, or an entry belongs to
alter table reviews
  add column change_id uuid,
  add foreign key (organization_id, change_id) references changes (organization_id, id);
alter table removals
  add column change_id uuid,
  add foreign key (organization_id, change_id) references changes (organization_id, id);
alter table activity
  add column change_id uuid,
  add foreign key (organization_id, change_id) references changes (organization_id, id);
create index reviews_of_change on reviews (change_id) where change_id is not null;
create index removals_of_change on removals (change_id) where change_id is not null;
create index activity_of_change on activity (change_id) where change_id is not null;

-- The change that would have removed the ZIP code on its day, and does if the removal is undone
alter table removal_zips
  add column planned_by uuid,
  add foreign key (organization_id, planned_by) references changes (organization_id, id);
