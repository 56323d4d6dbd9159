-- What each stream last went live with from this computer, as JSON: its source and how it was encoded.
CREATE TABLE one_click_choice (
  stream_id TEXT PRIMARY KEY REFERENCES stream (id),
  source TEXT NOT NULL,
  encode TEXT NOT NULL
) STRICT, WITHOUT ROWID;
