-- Positions of events are times, in microseconds since 1970, so that those that a caller with access to some brands sees
-- don't tell how many events other brands had in between. Earlier positions stay: all are smaller.
create or replace function record_event(
  organization uuid, new_type text, new_brand uuid, new_actor jsonb, new_data jsonb, new_key text
) returns void language plpgsql as $$
declare
  next bigint;
begin
  -- The usual case of a key, without a lock
  if exists (select from events where organization_id = organization and once_key = new_key) then
    return;
  end if;
  insert into event_positions (organization_id, position) values (organization, 0)
    on conflict do nothing;
  -- The time is read once the row is locked. A clock that was set back doesn't change the order.
  select position into next from event_positions where organization_id = organization for update;
  next := greatest(next + 1, floor(extract(epoch from clock_timestamp()) * 1000000)::bigint);
  update event_positions set position = next where organization_id = organization;
  insert into events (organization_id, position, type, brand_id, actor, data, once_key)
    values (organization, next, new_type, new_brand, new_actor, new_data, new_key)
    on conflict do nothing;
end $$;

-- The feed of a caller with access to some brands
create index events_of_brand on events (organization_id, brand_id, position);

-- Deliveries that turned their webhook off were given up for good. Turning it on now sends them, too.
update webhook_deliveries d set done_at = null, result = null, due_at = null
from webhook_endpoints e
where e.id = d.endpoint_id and e.disabled_because in ('failing', 'gone')
  and d.result = 'failed' and not d.resent and d.done_at >= e.disabled_at;
