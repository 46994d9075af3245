-- Room: ingest. The borders of the ZIP codes as a graph (spatial/border-graph.ts), in parts of 256 KB. They are
-- computed from zip_boundaries, and replaced with them.
create table border_graph (
  part integer primary key,
  bytes bytea not null
);
