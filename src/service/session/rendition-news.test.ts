import { expect, test } from 'vitest';
import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import { findRenditionNews } from './rendition-news.ts';

const stream = () => ({ id: 'stream-1', name: 'Sunday show' });
const names = ['720p', '360p'];

test('news of renditions names the stream and the profiles, and routine events are not news', () => {
  const news: LadderEvent[] = [
    { code: 'shed', severity: 'warn', names },
    { code: 'returned', severity: 'good', names },
    { code: 'left-out', severity: 'good', names },
    { code: 'taken-back', severity: 'good', names },
    { code: 'crashed', severity: 'warn', names, failure: { code: 'stuck' } },
    { code: 'given-up', severity: 'warn', names, why: { kind: 'no-encoder' } },
  ];
  for (const event of news) {
    expect(findRenditionNews(stream, event)).toEqual({ streamId: 'stream-1', streamName: 'Sunday show', event });
  }
  const routine: LadderEvent[] = [
    { code: 'started', severity: 'good', names },
    { code: 'overflow', severity: 'warn', names, frames: 3 },
  ];
  for (const event of routine) expect(findRenditionNews(stream, event)).toBeUndefined();
});
