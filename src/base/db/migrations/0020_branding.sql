-- How the maps of a brand look. Missing values: the maps have no such part.
create table brand_looks (
  organization_id uuid not null,
  brand_id uuid primary key,
  title text,
  subtitle text,
  -- #rrggbb
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  -- PNG, of bounded size
  logo bytea check (length(logo) <= 1048576),
  foreign key (organization_id, brand_id) references brands (organization_id, id) on delete cascade
);
