-- Water is fitted to the shores of the states, and borders are drawn only on land (ingest/coast).
alter table basemap_features
  -- derived: made by fitting. replaced: imported, and kept for fitting again, but not on maps. Null: on
  -- maps as imported.
  add column coast text check (coast in ('derived', 'replaced'));
