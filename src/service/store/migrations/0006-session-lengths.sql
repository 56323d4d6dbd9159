-- Of ended sessions: how long it lasted, and for how long its encoder had been gone then, milliseconds that no set of the wall
-- clock changes. A crash leaves none.
ALTER TABLE stream ADD COLUMN lasted_ms INTEGER;
ALTER TABLE stream ADD COLUMN gone_ms INTEGER;
