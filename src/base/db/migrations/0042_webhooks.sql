-- Webhooks: addresses of other systems that get an organization's events. Each webhook continues after its own position
-- in the events, so the transaction of a change does nothing for webhooks.

-- Room: notify.
create table webhook_endpoints (
  organization_id uuid not null references organizations,
  id uuid primary key default gen_random_uuid(),
  url text not null check (url like 'https://%'),
  description text check (description <> ''),
  -- Null: all types
  types text[] check (cardinality(types) > 0),
  -- Null: all brands, and events of the whole organization
  brand_ids uuid[] check (cardinality(brand_ids) > 0),
  -- Sealed: notify/webhooks/secrets.ts
  secret text not null,
  -- After a rotation, the replaced secret signs, too, until this time
  old_secret text,
  old_secret_until timestamptz,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('person', 'failing', 'gone')),
  -- Events up to here have a delivery, or aren't for this webhook
  position bigint not null,
  -- The earliest attempt of its deliveries
  due_at timestamptz,
  -- The process that sends now. Another one takes over at `claimed_until`
  claim uuid,
  claimed_until timestamptz,
  created_by jsonb not null,
  created_at timestamptz not null default now(),
  unique (organization_id, id),
  check ((old_secret is null) = (old_secret_until is null)),
  check ((disabled_at is null) = (disabled_because is null))
);

-- Room: notify. Deleted with their event.
create table webhook_deliveries (
  organization_id uuid not null,
  id uuid primary key default gen_random_uuid(),
  endpoint_id uuid not null,
  event_id uuid not null,
  position bigint not null,
  -- The brand, or zeros for events of the whole organization. Within a lane, deliveries wait for earlier ones
  lane uuid not null,
  created_at timestamptz not null default now(),
  -- The next attempt; null while it waits for an earlier delivery of its lane
  due_at timestamptz,
  attempts integer not null default 0,
  -- A person asked to send it again: one attempt, for which nothing waits
  resent boolean not null default false,
  -- The last attempt: HTTP status, the reason for a failure, the beginning of the answer, and its duration
  status integer,
  problem text,
  answer text,
  ms integer,
  attempted_at timestamptz,
  done_at timestamptz,
  result text check (result in ('delivered', 'failed')),
  unique (endpoint_id, event_id),
  check ((done_at is null) = (result is null)),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id) on delete cascade,
  foreign key (organization_id, event_id) references events (organization_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at)
  where done_at is null and due_at is not null;
create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, lane, position) where done_at is null;
create index webhook_deliveries_latest on webhook_deliveries (organization_id, endpoint_id, position desc);
create index webhook_deliveries_event on webhook_deliveries (organization_id, event_id);
