-- What imports of boundaries changed: agreements define territories by ZIP codes, which shrink, split, or end.

-- Room: ingest. One for each import of real boundaries over other real ones.
create table boundary_reports (
  id bigint generated always as identity primary key,
  -- display texts of both sets of boundaries
  vintage_before text not null,
  vintage_after text not null,
  -- when the earlier boundaries were imported
  imported_before timestamptz not null,
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

-- Room: ingest. What the import replaced: the ZIP codes of `zips` whose row, outline, or neighbors differ, as they were.
create table boundary_zips (
  report_id bigint not null references boundary_reports on delete cascade,
  zip text not null,
  -- Whether there was such a ZIP code
  is_known boolean not null,
  city text,
  state text,
  county_fips text,
  centroid geometry(Point, 4326),
  land_area_m2 double precision,
  bbox geometry(Polygon, 4326),
  primary key (zip, report_id)
);
create index boundary_zips_bbox on boundary_zips using gist (bbox);
create index boundary_zips_report on boundary_zips (report_id);

-- Room: ingest. Their outlines at each level of detail.
create table boundary_outlines (
  report_id bigint not null references boundary_reports on delete cascade,
  zip text not null,
  lod smallint not null,
  geom geometry(MultiPolygon, 4326) not null,
  primary key (zip, lod, report_id)
);
create index boundary_outlines_report on boundary_outlines (report_id);

-- Room: ingest. Their neighbors.
create table boundary_neighbors (
  report_id bigint not null references boundary_reports on delete cascade,
  zip text not null,
  neighbor text not null,
  shared_border_m double precision not null,
  primary key (zip, neighbor, report_id)
);
create index boundary_neighbors_report on boundary_neighbors (report_id);

-- The boundaries of an earlier moment, as tables with the names of those of today. `readAsOf` in
-- src/base/db/tenant-role.ts puts this schema first in the search path if boundaries were imported since, and sets
-- `territory.boundaries` to the first of their reports. What a ZIP code was then is what the first report that has it
-- replaced, or else what it is now.
create schema as_of_boundaries;

create function as_of_boundaries.report() returns bigint language sql stable parallel safe as $$
  select nullif(pg_catalog.current_setting('territory.boundaries', true), '')::bigint
$$;

-- Imports replace the tables, so views can't refer to them. PostgreSQL inlines these functions.
create function as_of_boundaries.zips_then() returns table (
  zip text, city text, state text, county_fips text, centroid geometry, land_area_m2 double precision, bbox geometry
) language sql stable parallel safe as $$
  select zip, city, state, county_fips, centroid, land_area_m2, bbox from public.zips now
  where not exists (
    select from public.boundary_zips k where k.zip = now.zip and k.report_id >= (select as_of_boundaries.report()))
  union all
  select zip, city, state, county_fips, centroid, land_area_m2, bbox from public.boundary_zips k
  where is_known and report_id >= (select as_of_boundaries.report()) and not exists (
    select from public.boundary_zips e where e.zip = k.zip and e.report_id < k.report_id
      and e.report_id >= (select as_of_boundaries.report()))
$$;

create function as_of_boundaries.outlines_then() returns table (zip text, lod smallint, geom geometry)
language sql stable parallel safe as $$
  select zip, lod, geom from public.zip_boundaries now
  where not exists (
    select from public.boundary_zips k where k.zip = now.zip and k.report_id >= (select as_of_boundaries.report()))
  union all
  select zip, lod, geom from public.boundary_outlines k
  where report_id >= (select as_of_boundaries.report()) and not exists (
    select from public.boundary_zips e where e.zip = k.zip and e.report_id < k.report_id
      and e.report_id >= (select as_of_boundaries.report()))
$$;

create function as_of_boundaries.neighbors_then() returns table (zip text, neighbor text, shared_border_m double precision)
language sql stable parallel safe as $$
  select zip, neighbor, shared_border_m from public.zip_neighbors now
  where not exists (
    select from public.boundary_zips k where k.zip = now.zip and k.report_id >= (select as_of_boundaries.report()))
  union all
  select zip, neighbor, shared_border_m from public.boundary_neighbors k
  where report_id >= (select as_of_boundaries.report()) and not exists (
    select from public.boundary_zips e where e.zip = k.zip and e.report_id < k.report_id
      and e.report_id >= (select as_of_boundaries.report()))
$$;

create view as_of_boundaries.zips as select * from as_of_boundaries.zips_then();
create view as_of_boundaries.zip_boundaries as select * from as_of_boundaries.outlines_then();
create view as_of_boundaries.zip_neighbors as select * from as_of_boundaries.neighbors_then();

create view as_of_boundaries.datasets as
  select name, coalesce(r.vintage_before, d.vintage) as vintage, synthetic,
    coalesce(r.imported_before, d.imported_at) as imported_at
  from public.datasets d
  left join public.boundary_reports r on d.name = 'boundaries' and r.id = (select as_of_boundaries.report());
