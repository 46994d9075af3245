-- Land use: parks, campuses, airports, and other areas that a map shows under its ZIP codes.
alter table datasets drop constraint datasets_name_check, add constraint datasets_name_check
  check (name in (
    'boundaries', 'demographics', 'scores',
    'states', 'counties', 'water', 'landuse', 'roads', 'places'));
alter table basemap_features drop constraint basemap_features_layer_check,
  add constraint basemap_features_layer_check
  check (layer in ('states', 'counties', 'water', 'landuse', 'roads', 'places'));

-- Sources used to be stored as file names. Attributions show them, so they become readable words.
update datasets set vintage = replace(regexp_replace(vintage, '\mus_', 'US ', 'g'), '_', ' ')
where vintage like '%\_%';

-- What `import all` imported last, so that a repeated run knows what is left to do. Other imports clear it.
alter table datasets add column import_key text;
