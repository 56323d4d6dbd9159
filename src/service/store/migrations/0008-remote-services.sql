-- Services on other computers. Their API keys are sealed with the master key; the pairs are those that GET /ingest last listed, as JSON.
CREATE TABLE remote_service (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  base_url TEXT NOT NULL,
  sealed_key BLOB NOT NULL,
  pairs TEXT NOT NULL
) STRICT;
