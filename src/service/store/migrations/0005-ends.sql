-- Who or what ended a session, where its reason does not say: the name of an API key, or what an encoder failed of.
ALTER TABLE stream ADD COLUMN ended_by TEXT;
-- Of streams: the last session, while nobody meant to end it and its owner has not dismissed that.
ALTER TABLE stream ADD COLUMN lost_session TEXT;
-- Streams that refuse their key after they were stopped; times are epoch milliseconds.
CREATE TABLE hold (
  stream_id TEXT PRIMARY KEY REFERENCES stream (id),
  since INTEGER NOT NULL,
  last_tried_at INTEGER,
  longest_pause_ms INTEGER NOT NULL,
  software TEXT
) STRICT, WITHOUT ROWID;
