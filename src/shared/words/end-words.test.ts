import { expect, test } from 'vitest';
import type { EndReason } from '../model/live.ts';
import { describeEnd } from './end-words.ts';

/** Every end of a broadcast, with what is said of it. */
const words: { [Reason in EndReason]: [Omit<Parameters<typeof describeEnd>[0], 'reason'>, string][] } = {
  stopped: [[{}, 'You stopped the broadcast in Tallylight.']],
  'encoder-stopped': [[{}, 'The encoder ended the broadcast.']],
  'ingest-lost': [
    [{}, 'The broadcast ended: the encoder did not come back in time.'],
    [{ goneMs: 60_900 }, 'The broadcast ended: the encoder was gone for 60 s.'],
  ],
  'encoder-failed': [
    [{}, 'The broadcast ended: Tallylight could not go on encoding.'],
    [
      { failure: { code: 'exited', exitCode: 1 } },
      'The broadcast ended: Tallylight could not go on encoding. ffmpeg ended with code 1.',
    ],
  ],
  terminated: [
    [{}, 'A program ended the broadcast over the interface.'],
    [{ by: 'test' }, 'A program with the API key “test” ended the broadcast over the interface.'],
  ],
  deleted: [
    [{}, 'The stream was deleted in Tallylight.'],
    [{ by: 'test' }, 'A program with the API key “test” deleted the stream over the interface.'],
  ],
  suspended: [
    [{}, 'The stream was suspended in Tallylight.'],
    [{ by: 'test' }, 'A program with the API key “test” suspended the stream over the interface.'],
  ],
  'service-closed': [[{}, 'Tallylight was closed.']],
  'service-crashed': [[{}, 'The broadcast ended because Tallylight crashed or lost power.']],
};

const rows = Object.entries(words).flatMap(([reason, cases]) =>
  cases.map(([rest, sentence]) => ({ end: { reason: reason as EndReason, ...rest }, sentence })),
);

test.each(rows)('the words of $end', ({ end, sentence }) => {
  expect(describeEnd(end)).toBe(sentence);
});
