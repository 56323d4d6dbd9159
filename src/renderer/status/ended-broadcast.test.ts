import { expect, test } from 'vitest';
import type { EndedBroadcast } from '../../shared/model/live.ts';
import { formatTimeOfDay } from '../format/moment.ts';
import { describeLost } from './ended-broadcast.ts';

const startedAt = Date.UTC(2030, 0, 1);
const ended: EndedBroadcast = {
  sessionId: 's',
  startedAt,
  endedAt: startedAt + 91_400,
  onAirMs: 91_400,
  reason: 'ingest-lost',
  severity: 'bad',
};
const at = formatTimeOfDay(ended.endedAt - 5_000);
const today = ended.endedAt;

test('a lost broadcast was on air until its encoder was lost, and says how long it was gone', () => {
  expect(describeLost({ ...ended, onAirMs: 31_000, goneMs: 60_400 }, 5_000, today)).toEqual({
    title: `Your broadcast ended at ${at}: the encoder was gone for 60\u00a0s`,
    sentence: 'On air for 31\u00a0s.',
  });
});

test('any other ended broadcast says why, and was on air until the end', () => {
  expect(describeLost({ ...ended, reason: 'service-crashed' }, 5_000, today)).toEqual({
    title: `Your broadcast ended at ${at}`,
    sentence: 'The broadcast ended because Tallylight crashed or lost power. On air for 1\u00a0min 31\u00a0s.',
  });
});

test('the failure behind the end is a sentence of its own, since it is announced by itself', () => {
  expect(describeLost({ ...ended, reason: 'encoder-failed', failure: { code: 'file-gone' } }, 5_000, today)).toEqual({
    title: `Your broadcast ended at ${at}`,
    sentence: "The broadcast ended because Tallylight's encoder failed. On air for 1\u00a0min 31\u00a0s.",
    cause: 'The file was moved or deleted. Choose it again.',
  });
});

test('setting the clock back changes no duration', () => {
  const set = { ...ended, endedAt: ended.endedAt - 3_600_000 };
  expect(describeLost(set, 5_000, today).sentence).toMatch(/ On air for 1\u00a0min 31\u00a0s\.$/);
});

test('a broadcast that was lost on another day says which', () => {
  const { title } = describeLost(ended, 5_000, today + 24 * 3_600_000);
  expect(title).toMatch(new RegExp(`^Your broadcast ended at ${at} on \\d+ \\w+$`));
});
