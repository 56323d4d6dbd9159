-- Streams and sessions are one kind of object in the interface (a session has a parent), so they share one table:
-- one id space, and one order of creation (seq) to list them by.
-- A deleted row stays, so that its id, key and playback id are never given out again.
CREATE TABLE stream (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  parent_id TEXT REFERENCES stream (id),
  name TEXT NOT NULL,
  profiles TEXT,
  record INTEGER,
  suspended INTEGER,
  multistream TEXT,
  created_at INTEGER NOT NULL,
  created_by_token_name TEXT,
  is_active INTEGER NOT NULL DEFAULT 0,
  last_seen INTEGER NOT NULL DEFAULT 0,
  source_segments INTEGER NOT NULL DEFAULT 0,
  source_duration_us INTEGER NOT NULL DEFAULT 0,
  transcoded_segments INTEGER NOT NULL DEFAULT 0,
  transcoded_duration_us INTEGER NOT NULL DEFAULT 0,
  -- Of streams only.
  playback_id TEXT UNIQUE,
  key_hash BLOB UNIQUE,
  sealed_key BLOB,
  last_terminated_at INTEGER,
  next_media_sequence INTEGER NOT NULL DEFAULT 0,
  next_discontinuity_sequence INTEGER NOT NULL DEFAULT 0,
  -- Of sessions only.
  ended_at INTEGER,
  end_reason TEXT,
  deleted_at INTEGER,
  CHECK ((parent_id IS NULL) = (playback_id IS NOT NULL)),
  CHECK ((parent_id IS NULL) = (key_hash IS NOT NULL)),
  CHECK ((parent_id IS NULL) = (sealed_key IS NOT NULL))
) STRICT;

CREATE INDEX stream_listed ON stream (seq) WHERE deleted_at IS NULL;
CREATE INDEX stream_sessions ON stream (parent_id, seq) WHERE parent_id IS NOT NULL;
CREATE INDEX stream_active ON stream (last_seen) WHERE is_active = 1;

CREATE TABLE api_key (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
