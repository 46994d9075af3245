-- The pending reviews of an organization, in the order of the queue. Without the order, the planner may
-- search the oldest pending ones in the whole history.
drop index reviews_pending;
create index reviews_pending on reviews (organization_id, requested_at, zip, id) where status = 'pending';
