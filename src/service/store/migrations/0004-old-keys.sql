-- Keys that streams had before: whoever still uses one is told so, and none is ever given out again.
CREATE TABLE old_key (
  hash BLOB PRIMARY KEY,
  stream_id TEXT NOT NULL REFERENCES stream (id),
  renewed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- When a stream was last terminated matters for 5 s: memory holds it.
ALTER TABLE stream DROP COLUMN last_terminated_at;
