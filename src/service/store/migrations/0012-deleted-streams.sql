-- Of deleted streams and their sessions only what must never be given out again stays: ids, playback ids and hashes of keys. Sessions
-- stay ended, since one that is not would count as left open by a crash.
UPDATE stream SET
  name = '', profiles = NULL, record = NULL, suspended = NULL, multistream = NULL, created_at = 0, created_by_token_name = NULL,
  last_seen = 0, source_segments = 0, source_duration_us = 0, transcoded_segments = 0, transcoded_duration_us = 0,
  next_media_sequence = 0, next_discontinuity_sequence = 0, ended_at = CASE WHEN parent_id IS NOT NULL THEN deleted_at END,
  end_reason = NULL, ended_by = NULL, lost_session = NULL, lasted_ms = NULL, gone_ms = NULL
WHERE deleted_at IS NOT NULL;
DELETE FROM hold WHERE stream_id IN (SELECT id FROM stream WHERE deleted_at IS NOT NULL);
DELETE FROM one_click_choice WHERE stream_id IN (SELECT id FROM stream WHERE deleted_at IS NOT NULL);
