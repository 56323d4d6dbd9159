import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import type { LadderEvent } from '../transcode/rendition-state.ts';
import { describeRenditionNews } from './rendition-news.ts';

const stream = () => ({ id: 'stream-1', name: 'Sunday show', profiles: [...recommendedProfiles] });
const event = (kind: LadderEvent['kind']): LadderEvent => ({
  ...{ kind, severity: 'warn', sentence: 'What happened.', profileIndexes: [0, 2], stderr: [] },
});

test('what is told of renditions names the stream and the profiles, and what is routine is not told', () => {
  expect(describeRenditionNews(stream, event('shed'))).toEqual({
    streamId: 'stream-1',
    streamName: 'Sunday show',
    kind: 'shed',
    renditions: ['720p', '360p'],
    sentence: 'What happened.',
  });
  for (const kind of ['returned', 'left-out', 'taken-back', 'crashed', 'given-up'] as const) {
    expect(describeRenditionNews(stream, event(kind))?.kind).toBe(kind);
  }
  for (const kind of ['started', 'overflow'] as const) expect(describeRenditionNews(stream, event(kind))).toBeUndefined();
});
