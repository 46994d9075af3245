-- Boundaries that reach into the sea are cut at the shore. The columns have what was imported, null where
-- nothing was cut.
alter table zip_boundaries add column uncut geometry(MultiPolygon, 4326);
alter table zips add column uncut_land_area_m2 double precision;

-- Fits the coast at the next start, which cuts them. The boundaries of the sample end at the shore.
update datasets set newer_than_coast = true
where name = 'boundaries' and not synthetic
  and exists (select from basemap_features where layer = 'water' and coast = 'derived');
