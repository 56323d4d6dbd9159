-- Whether another publisher than our own was on air, or waited for, when the stream was stopped.
ALTER TABLE hold ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 1;
