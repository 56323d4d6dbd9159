import { expect, test } from 'vitest';
import type { EndReason } from '../model/live.ts';
import { describeEnd } from './end-words.ts';

/** Every way a broadcast can end, with its sentence. */
const words: { [Reason in EndReason]: [Omit<Parameters<typeof describeEnd>[0], 'reason'>, string][] } = {
  stopped: [[{}, 'You stopped the broadcast in Tallylight.']],
  'encoder-stopped': [[{}, 'The encoder ended the broadcast.']],
  'ingest-lost': [
    [{}, "The broadcast ended because the encoder didn't come back in time."],
    [{ goneMs: 60_900 }, 'The broadcast ended after the encoder was gone for 60\u00a0s.'],
  ],
  'encoder-failed': [
    [{}, "The broadcast ended because Tallylight's encoder failed."],
    [
      { failure: { code: 'exited', exitCode: 1 } },
      "The broadcast ended because Tallylight's encoder failed. ffmpeg exited with code 1.",
    ],
    [
      { failure: { code: 'closed', during: 'sending' } },
      'The broadcast ended because its ingest stopped accepting it. The ingest closed the connection.',
    ],
    // An earlier version's words don't say whose failure it was.
    [
      { failure: { code: 'said', text: 'ffmpeg exited with code 1.' } },
      'The broadcast ended by itself. ffmpeg exited with code 1.',
    ],
  ],
  terminated: [
    [{}, 'A program ended the broadcast through the API.'],
    [{ by: 'test' }, 'A program using the API key “test” ended the broadcast through the API.'],
  ],
  deleted: [
    [{}, 'The stream was deleted in Tallylight.'],
    [{ by: 'test' }, 'A program using the API key “test” deleted the stream through the API.'],
  ],
  suspended: [
    [{}, 'The stream was suspended in Tallylight.'],
    [{ by: 'test' }, 'A program using the API key “test” suspended the stream through the API.'],
  ],
  'service-closed': [[{}, 'Tallylight was closed.']],
  'service-crashed': [[{}, 'The broadcast ended because Tallylight crashed or lost power.']],
};

const rows = Object.entries(words).flatMap(([reason, cases]) =>
  cases.map(([rest, sentence]) => ({ end: { reason: reason as EndReason, ...rest }, sentence })),
);

test.each(rows)('describes $end', ({ end, sentence }) => {
  expect(describeEnd(end)).toBe(sentence);
});
