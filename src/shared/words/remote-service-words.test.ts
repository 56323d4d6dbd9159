import { expect, test } from 'vitest';
import { describePlainIngests } from './remote-service-words.ts';

test('ingests without encryption', () => {
  expect(describePlainIngests(['ber-rtmp.example.com', 'jfk-rtmp.example.com'])).toBe(
    "Stream keys and media go to ber-rtmp.example.com, jfk-rtmp.example.com unencrypted, over rtmp://. The service's operator can offer rtmps:// instead.",
  );
});
