-- What row-level security builds on. src/base/db/tenant-role.ts adds the same policy to each table with an
-- organization_id, of this and of later migrations, and gives the role its rights.

-- The organization of the transaction. Null without one, and then no row matches a policy.
create function current_organization() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('territory.organization', true), '')::uuid
$$;

-- The only table in which another column names the organization
alter table organizations enable row level security;
create policy organization on organizations using (id = current_organization());

-- A person may belong to several organizations. Each sees its members, and the names of former members
-- on the keys and invitations that they created.
alter table people enable row level security;
create policy organization on people for select using (
  exists (
    select from memberships m
    where m.person_id = people.id and m.organization_id = current_organization()
  ) or exists (
    select from api_keys k
    where k.created_by = people.id and k.organization_id = current_organization()
  ) or exists (
    select from invitations i
    where i.created_by = people.id and i.organization_id = current_organization()
  )
);

-- Returns the id of the account with an email address, and creates it if there is none. Adding a
-- member needs the id of a person whom the organization doesn't see yet. This function runs with the
-- rights of its owner, so that the organization learns the id and nothing else.
create function person_of_email(new_email text, new_name text) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_id uuid;
begin
  insert into people (email, name) values (new_email, new_name)
    on conflict (lower(email)) do nothing returning id into found_id;
  if found_id is null then
    select id into found_id from people where lower(email) = lower(new_email);
  end if;
  return found_id;
end $$;
revoke execute on function person_of_email from public;

-- PostgreSQL checks a policy before it calls a function that might reveal rows, such as `->>`, so an
-- index of the expression actor->>'id' would no longer be used. An index of a column is.
alter table activity add actor_id text generated always as (actor->>'id') stored;
drop index activity_of_actor;
create index activity_of_actor on activity (organization_id, actor_id, id);
