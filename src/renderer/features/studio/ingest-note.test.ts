import { expect, test } from 'vitest';
import { noteIngest } from './ingest-note.ts';

const here = 'rtmp://127.0.0.1:1935/live';

test('the note below an ingest URL says if it works on this computer only, and what the app can do about its own', () => {
  const notes = (userAgent: string) => {
    const page = { navigator: { userAgent } };
    return [
      noteIngest(here, false, page),
      noteIngest(here, true, page),
      noteIngest('rtmp://live.example.com/live', false, page),
    ];
  };
  const note = 'Works on this computer only.';
  const remedy = ' For OBS elsewhere, run "npm run serve -- --host 0.0.0.0" instead of the app.';
  expect(notes('Chrome/156 Electron/42.0')).toEqual([`${note}${remedy}`, note, undefined]);
  expect(notes('Chrome/156')).toEqual([note, note, undefined]);
});
