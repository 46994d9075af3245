-- Own weights may name data sets: `data:jobs-2025`, or its rate, `rate:jobs-2025`. They are ranked among the ZIP codes
-- of the nation, or only among those with data.
alter table targeting_profiles add column among text not null default 'nation' check (among in ('nation', 'data'));
