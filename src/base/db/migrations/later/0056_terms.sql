-- Terms of holdings: what an agreement grants, and when it ends.

-- Room: territory. A change replaces the terms of a ZIP code and keeps the earlier ones, so that an exhibit of an earlier
-- day states those of that day. They apply while the brand holds the ZIP code live.
create table holding_terms (
  organization_id uuid not null,
  brand_id uuid not null,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  set_at timestamptz not null,
  -- Null: in force
  replaced_at timestamptz check (replaced_at > set_at),
  -- Null: not stated
  granted text check (granted in ('exclusive', 'protected', 'non_exclusive')),
  -- The last day, where the organization is. Null: no end
  ends_on date,
  -- told: people are told of the end; ends: the brand then loses the ZIP code, too
  at_end text not null check (at_end in ('told', 'ends')),
  -- Such as the number of the agreement
  note text check (note <> ''),
  set_by jsonb not null,
  -- When people were told that the end comes, and that it has come
  told_at timestamptz,
  ended_at timestamptz,
  primary key (brand_id, zip, set_at),
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
create unique index holding_terms_in_force on holding_terms (brand_id, zip) where replaced_at is null;
-- finds what ends soon, or has ended
create index holding_terms_ending on holding_terms (ends_on) where replaced_at is null and ended_at is null;
create index holding_terms_of on holding_terms (organization_id, brand_id);

-- A new request is about a new agreement. A removal that is undone keeps the terms. As the owner, as `record_holdings`.
-- Planned each time, as in record_holdings.
create function end_terms() returns trigger language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  moment timestamptz := territory_moment();
begin
  execute 'delete from holding_terms t using changed c
    where t.brand_id = c.brand_id and t.zip = c.zip and t.replaced_at is null and c.state = ''pending''
      and t.set_at >= $1' using moment;
  execute 'update holding_terms t set replaced_at = $1 from changed c
    where t.brand_id = c.brand_id and t.zip = c.zip and t.replaced_at is null and c.state = ''pending''' using moment;
  return null;
end $$;
create trigger terms_of_added after insert on brand_zips
  referencing new table as changed for each statement execute function end_terms();
create trigger terms_of_changed after update on brand_zips
  referencing new table as changed for each statement execute function end_terms();

-- Lookups show them.
create constraint trigger serving_version after insert or update or delete on holding_terms
  deferrable initially deferred for each row execute function advance_serving_version();

create view as_of.holding_terms as
  select organization_id, brand_id, zip, set_at, null::timestamptz as replaced_at, granted, ends_on, at_end, note, set_by,
    told_at, ended_at
  from public.holding_terms
  where organization_id = (select public.current_organization())
    and ((select public.visible_brands() is null) or brand_id = any((select public.visible_brands())::uuid[]))
    and set_at <= (select as_of.moment())
    and (replaced_at is null or replaced_at > (select as_of.moment()));
