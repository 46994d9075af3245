-- Room: notify. When the next email about a topic is due to a member, decided when notifications are made and when
-- settings change. Members who chose never have no rows, so that finding what is due reads nothing else.
create table due_emails (
  organization_id uuid not null,
  person_id uuid not null,
  topic text not null check (topic <> ''),
  due_at timestamptz not null,
  primary key (organization_id, person_id, topic),
  foreign key (organization_id, person_id) references memberships on delete cascade
);
create index due_emails_due on due_emails (due_at);

drop index notifications_unsent;
create index notifications_unsent on notifications (organization_id, person_id, created_at) where email_id is null;

-- The email about what waits now is composed from the settings at that time.
insert into due_emails
select distinct organization_id, person_id, topic, now() from notifications
where email_id is null and created_at > now() - interval '3 days';
