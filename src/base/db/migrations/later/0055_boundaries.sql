-- What imports of boundaries changed: agreements define territories by ZIP codes, which shrink, split, or end.

-- Room: ingest. One for each import of real boundaries over other real ones.
create table boundary_reports (
  id bigint generated always as identity primary key,
  -- display texts of both sets of boundaries
  vintage_before text not null,
  vintage_after text not null,
  imported_at timestamptz not null default now(),
  zips_before integer not null,
  zips_after integer not null,
  -- ZIP codes that only the new boundaries have
  added text[] not null
);

-- Room: ingest. Where the area of each ZIP code that lost some of it went: to itself, to others, or to no ZIP code.
create table boundary_parts (
  report_id bigint not null references boundary_reports on delete cascade,
  zip text not null check (zip ~ '^[0-9]{5}$'),
  -- the ZIP code that has this part now; null: none
  now_in text check (now_in ~ '^[0-9]{5}$'),
  -- of the area before the import
  share real not null check (share between 0 and 1),
  -- if households are spread evenly over the area; null: unknown
  households integer check (households >= 0)
);
create index boundary_parts_zip on boundary_parts (zip, report_id);
create index boundary_parts_report on boundary_parts (report_id);

-- Room: ingest. The boundaries of these ZIP codes before the import.
create table boundary_outlines (
  report_id bigint not null references boundary_reports on delete cascade,
  zip text not null,
  geom geometry(MultiPolygon, 4326) not null,
  primary key (report_id, zip)
);
