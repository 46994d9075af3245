-- The record of territories: who held which ZIP code, from when to when. It is kept for good, and triggers write it, so
-- that no change of a territory is missing from it.

-- Days of an organization, such as those on which changes take effect, begin at midnight in its time zone (an IANA
-- name): that of its first member's browser, or New York's. Room: account.
alter table organizations add time_zone text not null default 'America/New_York' check (time_zone <> '');
update organizations o set time_zone = s.time_zone
from (select distinct on (s.organization_id) s.organization_id, s.time_zone
      from notification_settings s join memberships m using (organization_id, person_id)
      where s.time_zone in ('America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix',
        'America/Los_Angeles', 'America/Anchorage', 'Pacific/Honolulu', 'America/Puerto_Rico', 'Pacific/Guam')
      order by s.organization_id, m.created_at) s
where s.organization_id = o.id;

-- Room: territory, by the triggers below. Each row is a period in which a ZIP code had a state in a brand. The open
-- periods are the rows of brand_zips. A state that never was, such as that of a request which was rejected, has no
-- period after it.
create table holdings (
  organization_id uuid not null,
  brand_id uuid not null,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  state text not null check (state in ('pending', 'live', 'removed')),
  -- In whole milliseconds, as far as clients can name a moment
  held_from timestamptz not null,
  -- The first moment after the period. Null: it lasts
  held_until timestamptz,
  -- As in brand_zips. An undo restores it, so it may be earlier than the period.
  changed_at timestamptz not null,
  -- Whether it began at held_from. If not, it is from before the record, and had begun by then.
  is_start_known boolean not null default true,
  -- The entries of activity that began and ended it. Null if there is none
  started_entry bigint,
  ended_entry bigint,
  primary key (brand_id, zip, held_from),
  foreign key (organization_id, brand_id) references brands (organization_id, id),
  check (held_until > held_from)
);
create unique index holdings_open on holdings (brand_id, zip) where held_until is null;
-- Who held a ZIP code, and the whole record of an organization
create index holdings_of_zip on holdings (organization_id, zip, held_from) include (brand_id, state, held_until);
alter table holdings set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- The moment at which the transaction changes territories. All of its changes have the same one, so that nobody can ask
-- for a moment between them: when its first change began, after it had waited for its locks. A change with a date sets
-- `territory.moment`.
create function territory_moment() returns timestamptz language plpgsql as $$
declare
  given text := nullif(current_setting('territory.moment', true), '');
  noted text := current_setting('territory.noted', true);
  own text := pg_current_xact_id()::text || ' ';
begin
  if given is not null then
    return date_trunc('milliseconds', given::timestamptz);
  end if;
  if noted is null or not starts_with(noted, own) then
    noted := own || statement_timestamp();
    perform set_config('territory.noted', noted, true);
  end if;
  return date_trunc('milliseconds', substr(noted, length(own) + 1)::timestamptz);
end $$;

-- Continues the record after a statement. As the owner, so that it is complete whichever brands the statement sees.
-- The statements are planned each time, with the number of ZIP codes that changed: a plan that a session keeps from a small
-- change compares each ZIP code of a large one with each row of the table, which takes minutes. Small tables are read by
-- their indexes, too, because the statement may just have filled them.
create function record_holdings() returns trigger language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  moment timestamptz := territory_moment();
begin
  -- A state that lasted no time leaves no period.
  if tg_op = 'DELETE' then
    execute 'delete from holdings h using changed c
      where h.brand_id = c.brand_id and h.zip = c.zip and h.held_until is null and h.held_from >= $1' using moment;
    execute 'update holdings h set held_until = $1 from changed c
      where h.brand_id = c.brand_id and h.zip = c.zip and h.held_until is null' using moment;
    return null;
  end if;
  execute 'update holdings h set state = c.state, changed_at = c.changed_at from changed c
    where h.brand_id = c.brand_id and h.zip = c.zip and h.held_until is null and h.held_from >= $1' using moment;
  execute 'update holdings h set held_until = $1 from changed c
    where h.brand_id = c.brand_id and h.zip = c.zip and h.held_until is null
      and h.held_from < $1 and (h.state, h.changed_at) is distinct from (c.state, c.changed_at)' using moment;
  -- Periods don't overlap, even if a change with a date comes after a later one.
  execute 'insert into holdings (organization_id, brand_id, zip, state, held_from, changed_at)
    select c.organization_id, c.brand_id, c.zip, c.state, greatest($1, last.held_until), c.changed_at
    from changed c
    cross join lateral (
      select max(h.held_until) as held_until, bool_or(h.held_until is null) as is_open
      from holdings h where h.brand_id = c.brand_id and h.zip = c.zip) last
    where last.is_open is not true' using moment;
  return null;
end $$;

create trigger record_added after insert on brand_zips
  referencing new table as changed for each statement execute function record_holdings();
create trigger record_changed after update on brand_zips
  referencing new table as changed for each statement execute function record_holdings();
create trigger record_deleted after delete on brand_zips
  referencing old table as changed for each statement execute function record_holdings();

-- Names the entry of a change in the periods that it began and ended. Entries follow their changes in the transaction,
-- and state each ZIP code before and after; that of an export, for example, doesn't.
create function record_entry() returns trigger language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  moment timestamptz := territory_moment();
begin
  update holdings set started_entry = new.id
    where organization_id = new.organization_id and brand_id = new.brand_id and zip = any(new.zips)
      and held_from = moment;
  update holdings set ended_entry = new.id
    where organization_id = new.organization_id and brand_id = new.brand_id and zip = any(new.zips)
      and held_until = moment;
  return null;
end $$;
create trigger record_entry after insert on activity
  for each row when (new.brand_id is not null and new.before <> '{}' and new.after <> '{}')
  execute function record_entry();

-- What is stored today: the entries of activity have named each ZIP code with its state since the first version.
insert into holdings
  (organization_id, brand_id, zip, state, held_from, held_until, changed_at, started_entry, ended_entry)
with entries as (
  select a.organization_id, a.brand_id, z.zip, a.after->>z.zip as state, a.id,
    date_trunc('milliseconds', a.at) as at,
    -- An undo restores the time of the change before the removal.
    case when a.action = 'removal_undone' then rz.changed_at_before end as changed_at_before, a.at as exact
  from activity a
  cross join lateral unnest(a.zips) as z (zip)
  left join removal_zips rz
    on a.action = 'removal_undone' and rz.removal_id = a.removal_id and rz.zip = z.zip
  where a.brand_id is not null and a.action in
    ('territory_applied', 'territory_approved', 'territory_rejected', 'territory_removed', 'removal_undone')
), last_of_moment as (
  select distinct on (brand_id, zip, at) * from entries order by brand_id, zip, at, id desc
), periods as (
  select *, lead(at) over next as until, lead(id) over next as ended
  from last_of_moment window next as (partition by brand_id, zip order by at)
)
select organization_id, brand_id, zip, state, at, until, coalesce(changed_at_before, exact), id, ended
from periods where state in ('pending', 'live', 'removed');

-- Where this isn't what territories are now, their own time of change is all that is known.
update holdings h set held_until = greatest(
    h.held_from + interval '1 millisecond', date_trunc('milliseconds', coalesce(bz.changed_at, now())))
from (select h.brand_id, h.zip, bz.changed_at from holdings h
      left join brand_zips bz on bz.brand_id = h.brand_id and bz.zip = h.zip
      where h.held_until is null and bz.state is distinct from h.state) bz
where h.brand_id = bz.brand_id and h.zip = bz.zip and h.held_until is null;

insert into holdings (organization_id, brand_id, zip, state, held_from, changed_at, is_start_known)
select bz.organization_id, bz.brand_id, bz.zip, bz.state,
  greatest(date_trunc('milliseconds', bz.changed_at), last.held_until), bz.changed_at, false
from brand_zips bz
left join lateral (
  select max(h.held_until) as held_until from holdings h where h.brand_id = bz.brand_id and h.zip = bz.zip) last on true
where not exists (
  select from holdings h where h.brand_id = bz.brand_id and h.zip = bz.zip and h.held_until is null);

-- Open periods have the time of brand_zips, which the fraction of a second between a change and its entry would miss.
update holdings h set changed_at = bz.changed_at from brand_zips bz
where bz.brand_id = h.brand_id and bz.zip = h.zip and h.held_until is null and h.changed_at <> bz.changed_at;
analyze holdings;

-- The same tables as of the moment in `territory.as_of`. With this schema first in the search path, statements that read
-- territories of today read those of that moment: see src/base/db/tenant-role.ts, which also lets organizations read it.
-- Views read as their owner, so they repeat the policies of the tables.
create schema as_of;

create function as_of.moment() returns timestamptz language sql stable parallel safe as $$
  select coalesce(nullif(pg_catalog.current_setting('territory.as_of', true), '')::timestamptz, pg_catalog.now())
$$;

-- What took effect on its date was changed then, even if the service did it later. Otherwise, the time of the statement
-- is a little later than the moment of its transaction.
create view as_of.brand_zips as
  select organization_id, brand_id, zip, state,
    case when changed_at > held_from + interval '1 minute' then held_from else changed_at end as changed_at
  from public.holdings
  where organization_id = (select public.current_organization())
    and ((select public.visible_brands() is null) or brand_id = any((select public.visible_brands())::uuid[]))
    and held_from <= (select as_of.moment())
    and (held_until is null or held_until > (select as_of.moment()));

-- A review was open then if it had been requested and not decided. An undo opens it again, and that it was withdrawn
-- until then is known by the ZIP code: it wasn't pending, or by another request, whose time it has. An approval may be
-- a little later than the moment of its transaction, at which the ZIP code was live.
create view as_of.reviews as
  select r.id, r.organization_id, r.brand_id, r.zip, r.batch_id, was.status, r.state_before, r.note, r.requested_by,
    r.requested_at,
    case when was.status = r.status then r.decided_by end as decided_by,
    case when was.status = r.status then r.decided_at end as decided_at,
    case when was.status = r.status then r.reason end as reason
  from public.reviews r
  cross join lateral (
    select case
      when r.decided_at < (select as_of.moment()) + interval '1 millisecond' then r.status
      else (
        select case
          when bz.state = 'live' and r.status = 'approved' then r.status
          when bz.state = 'pending' and r.requested_at = (
            select max(one.requested_at) from public.reviews one
            where one.brand_id = r.brand_id and one.zip = r.zip and one.requested_at <= bz.changed_at) then 'pending' end
        from as_of.brand_zips bz where bz.brand_id = r.brand_id and bz.zip = r.zip)
      end as status) found
  cross join lateral (select coalesce(found.status, 'withdrawn') as status) was
  where r.organization_id = (select public.current_organization())
    and ((select public.visible_brands() is null) or r.brand_id = any((select public.visible_brands())::uuid[]))
    and r.requested_at < (select as_of.moment()) + interval '1 millisecond';
