-- Sessions outnumber streams a thousandfold in time: a list of streams reads none of them.
CREATE INDEX stream_own ON stream (seq) WHERE parent_id IS NULL AND deleted_at IS NULL;
