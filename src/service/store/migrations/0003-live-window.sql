-- A live window is 60 s at least: what was chosen below it becomes the shortest there is.
UPDATE setting SET value = '60' WHERE name = 'settings.liveWindowSeconds' AND CAST(value AS INTEGER) < 60;
