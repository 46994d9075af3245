-- Room: layouts. Insets, places of labels, and other findings about the layout of maps, which take long to find again.
create table map_layouts (
  -- SHA-1 of the program, the geometry, and the ZIP codes and the size of the maps
  name text primary key,
  -- Deflated JSON (maps/cartography/map-layout.ts)
  content bytea not null,
  kept_at timestamptz not null default now()
);
alter table map_layouts alter content set storage external;
create index map_layouts_age on map_layouts (kept_at);
