-- Notifications tell people about events, in the account and by email.

-- Room: notify. The last event of an organization that became notifications.
create table notified_events (
  organization_id uuid primary key references organizations,
  position bigint not null
);

-- Room: notify. One row for each person and event.
create table notifications (
  organization_id uuid not null,
  person_id uuid not null,
  -- Position of the event
  position bigint not null,
  topic text not null check (topic <> ''),
  -- The person's ZIP codes, in order, if the event is about those of several people. Null: all
  zips text[],
  created_at timestamptz not null default now(),
  read_at timestamptz,
  -- The email that mentions it. Null: none yet
  email_id uuid,
  primary key (organization_id, person_id, position),
  foreign key (organization_id, person_id) references memberships on delete cascade
);
create index notifications_age on notifications (created_at);
create index notifications_unsent on notifications (created_at) where email_id is null;
create index notifications_unread on notifications (organization_id, person_id) where read_at is null;
create index notifications_email on notifications (email_id) where email_id is not null;

-- Room: notify. What a member chose. Without a row, the defaults apply.
create table notification_settings (
  organization_id uuid not null,
  person_id uuid not null,
  -- IANA name, such as America/Chicago. Null: not chosen
  time_zone text check (time_zone <> ''),
  -- When the daily email is sent, in that time zone
  digest_hour smallint not null default 8 check (digest_hour between 0 and 23),
  -- now, daily, or never by topic, where it isn't the default
  choices jsonb not null default '{}',
  primary key (organization_id, person_id),
  foreign key (organization_id, person_id) references memberships on delete cascade
);

-- Room: notify. Links in emails that stop a topic. Only hashes of their tokens are stored.
create table unsubscribe_links (
  secret_hash bytea primary key,
  organization_id uuid not null,
  person_id uuid not null,
  topic text not null,
  created_at timestamptz not null default now(),
  foreign key (organization_id, person_id) references memberships on delete cascade
);
create index unsubscribe_links_age on unsubscribe_links (created_at);
create index unsubscribe_links_member on unsubscribe_links (organization_id, person_id);
