-- What keeps pages fast with many organizations and a long history (test/bench/growth).

-- The removals of a brand, each with its entry and that of its undo. Without the indexes, the removals are
-- searched in those of all organizations, and the two entries in all of the brand.
create index removals_of_brand on removals (brand_id, removed_at, id);
create index activity_of_removal on activity (removal_id) where removal_id is not null;

-- Entries of an action: without it, a rare one is searched in all entries of the organization.
create index activity_of_action on activity (organization_id, action, id);

-- The review queue of an organization, and the count of all pending reviews. Without it, a large queue is
-- searched in those of all organizations.
create index reviews_pending on reviews (organization_id) where status = 'pending';

-- Metrics add up the month's units of all organizations.
create index usage_periods_period on usage_periods (period);

-- A brand belongs to one organization. If the planner doesn't know, it expects almost no rows of a brand,
-- because it multiplies the shares of both, and reads a whole brand for one page.
create statistics brand_zips_of_brand (dependencies) on organization_id, brand_id from brand_zips;
create statistics reviews_of_brand (dependencies) on organization_id, brand_id from reviews;
create statistics entries_of_brand (dependencies) on organization_id, brand_id from activity;
analyze brand_zips, reviews, activity;

-- Autovacuum starts after changes of a fifth of a table: 10 million rows of brand_zips in a large service.
-- These tables are analyzed and cleaned after a fiftieth.
alter table brand_zips set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table reviews set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table activity set (
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
