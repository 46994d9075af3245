-- A row refers to rows of its own organization only. Foreign keys are checked with the rights of their
-- owner, so row-level security doesn't see to that: the organization is part of each key.

alter table reviews add unique (organization_id, id);
alter table removals add unique (organization_id, id);
alter table share_links add unique (organization_id, id);

alter table removal_zips
  drop constraint removal_zips_organization_id_fkey,
  drop constraint removal_zips_removal_id_fkey,
  drop constraint removal_zips_review_id_fkey,
  add foreign key (organization_id, removal_id) references removals (organization_id, id),
  add foreign key (organization_id, review_id) references reviews (organization_id, id);

alter table activity
  drop constraint activity_removal_id_fkey,
  add foreign key (organization_id, removal_id) references removals (organization_id, id);

alter table share_link_zips
  drop constraint share_link_zips_organization_id_fkey,
  drop constraint share_link_zips_share_id_fkey,
  add foreign key (organization_id, share_id) references share_links (organization_id, id);
