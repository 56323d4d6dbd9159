-- A reconnect window may be 75 s at most: what was chosen beyond it becomes the longest there is.
UPDATE setting SET value = '75' WHERE name = 'settings.reconnectWindowSeconds' AND CAST(value AS INTEGER) > 75;
