-- The coast is fitted once after several imports. Until then, it doesn't fit these datasets, even if the
-- import that would have fitted it was interrupted.
alter table datasets add column newer_than_coast boolean not null default false;
