-- The hash in the address of a logo, which share pages show.
alter table brand_looks
  add column logo_hash text generated always as (encode(sha256(logo), 'hex')) stored;

create index brand_looks_logo_hash on brand_looks (logo_hash) where logo_hash is not null;
