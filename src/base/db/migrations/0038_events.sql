-- Events describe an organization's changes to people and to other systems. The transaction of a change records its
-- event, so that neither exists without the other.

-- Room: events. The position of the organization's last event.
create table event_positions (
  organization_id uuid primary key references organizations,
  position bigint not null default 0
);

-- Room: events. Kept for 90 days. The types are declared in events/catalog.ts.
create table events (
  organization_id uuid not null references organizations,
  -- In the order of the commits: see record_event
  position bigint not null check (position > 0),
  id uuid not null default gen_random_uuid(),
  type text not null check (type <> ''),
  -- Null for an event of the whole organization
  brand_id uuid,
  actor jsonb,
  -- As other systems see it
  data jsonb not null,
  -- Events that happen once, such as a threshold of a month
  once_key text check (once_key <> ''),
  at timestamptz not null default clock_timestamp(),
  primary key (organization_id, position),
  unique (organization_id, id),
  foreign key (organization_id, brand_id) references brands (organization_id, id)
);
create unique index events_once on events (organization_id, once_key) where once_key is not null;
create index events_at on events (at);

-- Records an event, unless the organization has one with the same key. The row with the position stays locked until the
-- transaction ends, so positions are in the order of the commits, and a reader who continues after a position misses
-- none. Call it at the end of a transaction, after all other locks, to keep this wait short and without deadlocks.
create function record_event(
  organization uuid, new_type text, new_brand uuid, new_actor jsonb, new_data jsonb, new_key text
) returns void language plpgsql as $$
declare
  next bigint;
begin
  -- The usual case of a key, without a lock
  if exists (select from events where organization_id = organization and once_key = new_key) then
    return;
  end if;
  insert into event_positions as last (organization_id, position) values (organization, 1)
    on conflict (organization_id) do update set position = last.position + 1
    returning position into next;
  insert into events (organization_id, position, type, brand_id, actor, data, once_key)
    values (organization, next, new_type, new_brand, new_actor, new_data, new_key)
    on conflict do nothing;
end $$;
