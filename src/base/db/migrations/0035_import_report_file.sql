-- The checked file of a report, if it is a table with several columns of ZIP codes: people can choose another one.
-- Null otherwise.
alter table import_reports add column file bytea;
