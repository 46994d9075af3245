-- A ZIP code may have figures but no boundary, because the vintages of both differ. It has a row in zips,
-- whose bbox is null, so that it belongs to a metro and brands can hold it. Its centroid is the Census
-- Bureau's interior point; null if that is unknown.
alter table zips
  alter column centroid drop not null,
  alter column land_area_m2 drop not null,
  alter column bbox drop not null;

-- Room: ingest. All ZIP codes that exist, imported or not: those of the Census Bureau's gazetteer and those
-- of the post office. It explains why a ZIP code is in neither boundaries nor figures.
create table zip_directory (
  zip text primary key check (zip ~ '^[0-9]{5}$'),
  -- the postal city; null if unknown
  city text,
  -- USPS code; null if unknown
  state text,
  -- the Census Bureau's interior point; null for a ZIP code without an area, such as one of PO boxes
  point geometry(Point, 4326)
);
