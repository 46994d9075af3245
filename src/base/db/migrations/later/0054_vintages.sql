-- Several vintages of census figures side by side. `zip_demographics` has the current one.

alter table datasets drop constraint datasets_name_check, add constraint datasets_name_check
  check (name in (
    'boundaries', 'demographics', 'vintages', 'scores',
    'states', 'counties', 'water', 'landuse', 'roads', 'places'));

-- Room: ingest. The five-year periods of which census tables are kept.
create table census_vintages (
  -- the last of the five years
  year smallint primary key check (year between 2009 and 2100),
  synthetic boolean not null,
  -- the tables of this period, such as B25003
  tables text[] not null,
  imported_at timestamptz not null default now()
);

-- Room: ingest. What the tables of a period say about a ZIP code: the lines in the order of
-- ingest/vintages/lines.ts, and their margins of error at the 90% level. Null elements are unknown. A national
-- vintage takes 8 MB.
create table zip_vintages (
  year smallint not null references census_vintages on delete cascade,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  estimates real[] not null,
  margins real[] not null,
  primary key (year, zip)
);

-- Room: ingest. The Census Bureau's relationship file: the land that a ZCTA of 2010 and one of 2020 have in common.
create table zcta_relations (
  zip_2010 text not null check (zip_2010 ~ '^[0-9]{5}$'),
  zip_2020 text not null check (zip_2020 ~ '^[0-9]{5}$'),
  -- of the common part, of the whole ZCTA of 2010, and of that of 2020
  land_area_m2 double precision not null check (land_area_m2 >= 0),
  land_2010_m2 double precision not null check (land_2010_m2 >= 0),
  land_2020_m2 double precision not null check (land_2020_m2 >= 0),
  -- residents of the common part, if the file counts them
  population double precision check (population >= 0),
  primary key (zip_2010, zip_2020)
);
create index zcta_relations_2020 on zcta_relations (zip_2020);

-- Room: account. The percentage by which a new vintage must change a brand's households or owner households, clearly,
-- so that its people are told. Null: never.
alter table organizations add census_change_percent smallint default 5 check (census_change_percent between 1 and 100);
