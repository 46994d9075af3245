-- ZIP codes with their boundaries, census figures, and scores; metros; the basemap.
-- All coordinates are longitude and latitude in WGS 84 degrees (SRID 4326).

create extension if not exists postgis;

-- The source and vintage of the data in each group of tables, as pages and answers show them.
create table datasets (
  name text primary key check (name in (
    'boundaries', 'demographics', 'scores', 'states', 'counties', 'water', 'roads', 'places')),
  vintage text not null,
  -- generated sample data, not measurements; every picture and answer based on it says so
  synthetic boolean not null,
  imported_at timestamptz not null default now()
);

-- Room: ingest. The area of a ZIP code is its ZCTA, the Census Bureau's polygon. ZIP codes of PO boxes
-- have none.
create table zips (
  zip text primary key check (zip ~ '^[0-9]{5}$'),
  -- the postal city; null if unknown
  city text,
  -- USPS code of the state
  state text check (state ~ '^[A-Z]{2}$'),
  -- the county that holds the centroid, or the nearest one
  county_fips text check (county_fips ~ '^[0-9]{5}$'),
  centroid geometry(Point, 4326) not null,
  land_area_m2 double precision not null check (land_area_m2 >= 0),
  -- extent of the boundary, so that finding the ZIP codes in a view reads no polygons
  bbox geometry(Polygon, 4326) not null
);
create index zips_bbox on zips using gist (bbox);
create index zips_centroid on zips using gist (centroid);
create index zips_county on zips (county_fips);

-- Room: ingest. The boundary of each ZIP code at each level of detail (spatial/detail.ts). All ZIP codes
-- are simplified together, so neighbors share the same border at each level.
create table zip_boundaries (
  zip text not null,
  lod smallint not null,
  geom geometry(MultiPolygon, 4326) not null,
  primary key (zip, lod)
);

-- Room: ingest. ZIP codes that share a border line, in both directions. Touching at a point doesn't count.
create table zip_neighbors (
  zip text not null,
  neighbor text not null check (neighbor <> zip),
  shared_border_m double precision not null check (shared_border_m > 0),
  primary key (zip, neighbor)
);

-- Room: ingest. The columns are explained in ingest/demographics.ts. Vintages differ, so a ZIP code may
-- have figures without a boundary, and a boundary without figures.
create table zip_demographics (
  zip text primary key check (zip ~ '^[0-9]{5}$'),
  population_total integer,
  households_total integer,
  median_household_income integer,
  owner_occupied_households integer,
  owner_occupied_pct double precision,
  median_home_value integer,
  single_family_detached_pct double precision,
  median_age double precision,
  median_year_built integer,
  home_age_pre_1980_pct double precision,
  home_age_1980_1999_pct double precision,
  home_age_2000_plus_pct double precision,
  homes_by_decade_built integer[] check (cardinality(homes_by_decade_built) = 10),
  flags jsonb not null default '{}',
  -- last of the five survey years, by Census table: {"B19013": 2021, "B25003": 2023}
  table_years jsonb not null default '{}',
  source_vintage text not null
);

-- Room: scoring.
create table zip_scores (
  vertical text not null,
  zip text not null,
  -- null: not enough data for a score, or no residents
  score smallint check (score between 0 and 100),
  -- the score before rounding, from 0 to 1; orders ZIP codes with the same score
  percentile double precision check (percentile between 0 and 1),
  -- share of the vertical's weights whose signals have data, from 0 to 1
  coverage real not null check (coverage between 0 and 1),
  primary key (zip, vertical)
);

-- Room: market. Filled from geodata/metros.json at each start.
create table metros (
  slug text primary key,
  label text not null,
  full_name text not null,
  cbsa text not null unique
);
create table metro_counties (
  county_fips text primary key,
  metro_slug text not null references metros (slug) on delete cascade
);
create index metro_counties_metro on metro_counties (metro_slug);

-- Room: ingest. The columns are explained in basemap/features.ts.
create table basemap_features (
  id bigint generated always as identity primary key,
  layer text not null check (layer in ('states', 'counties', 'water', 'roads', 'places')),
  kind text not null,
  name text,
  fips text,
  min_zoom real not null,
  rank real not null,
  -- the coarsest level of detail that has a shape; points have the finest only
  max_lod smallint not null,
  bbox geometry(Geometry, 4326) not null
);
create index basemap_features_bbox on basemap_features using gist (bbox);
create index basemap_features_layer on basemap_features (layer, min_zoom);
create index basemap_features_fips on basemap_features (fips) where fips is not null;

create table basemap_shapes (
  feature_id bigint not null references basemap_features (id) on delete cascade,
  lod smallint not null,
  geom geometry(Geometry, 4326) not null,
  primary key (feature_id, lod)
);
