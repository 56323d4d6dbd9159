-- Streams of remote services have choices, too, and are not in the table of streams.
CREATE TABLE choice (
  stream_id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  encode TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO choice SELECT stream_id, source, encode FROM one_click_choice;
DROP TABLE one_click_choice;
ALTER TABLE choice RENAME TO one_click_choice;
