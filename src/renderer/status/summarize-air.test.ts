import { expect, test } from 'vitest';
import type { AirState } from '../../shared/model/live.ts';
import type { StreamView } from '../../shared/model/views.ts';
import { noContact, offAir } from './air-status.ts';
import { describeUnheard, formatSummaryNote, type StreamsAround, summarizeAir, toneOf } from './summarize-air.ts';

const offAirState: AirState = { kind: 'off-air' };
const onAirState: AirState = { kind: 'on-air', since: 1, sessionId: 's' };

/** A stream with the fields that decide its state; the rest of a view isn't read. */
function stream(id: string, facts: Partial<StreamView>): StreamView {
  return { id, air: offAirState, ...facts } as StreamView;
}

const idle = stream('idle', {});
const live = stream('live', { air: onAirState });
const lost = stream('lost', { lost: { sessionId: 's', endedAt: 1 } });
const unheard = stream('unheard', { air: onAirState, isUnheard: true });

const says = (around: Partial<StreamsAround>) => summarizeAir({ streams: [], isComplete: true, isUnheard: false, ...around });
const shown = (around: Partial<StreamsAround>) => {
  const summary = says(around);
  return summary.kind === 'stream' ? summary.stream.id : undefined;
};

test('off air is said only when all streams are known, and none of them is unheard', () => {
  expect(says({ streams: [idle] })).toEqual({ kind: 'status', status: offAir });
  expect(says({ streams: [idle], isComplete: false })).toEqual({ kind: 'nothing-known' });
  expect(says({ isComplete: false })).toEqual({ kind: 'nothing-known' });
});

test('while the service does not answer there is no contact, whatever its streams were', () => {
  expect(says({ streams: [idle, unheard], isUnheard: true })).toEqual({ kind: 'status', status: noContact });
  expect(says({ isComplete: false, isUnheard: true })).toEqual({ kind: 'status', status: noContact });
});

test('a stream on air is shown, whatever else is not known', () => {
  expect(shown({ streams: [idle, live, lost] })).toBe('live');
  expect(shown({ streams: [live, unheard], isUnheard: true })).toBe('live');
  expect(shown({ streams: [live], isComplete: false })).toBe('live');
});

test('its colour is that of the stream shown, amber without contact, and none until something is known', () => {
  const tones = [
    says({ streams: [idle, live] }),
    says({ streams: [idle, lost] }),
    says({ streams: [idle] }),
    says({ streams: [unheard], isUnheard: true }),
    says({ isComplete: false }),
  ].map(toneOf);
  expect(tones).toEqual(['live', 'warn', 'calm', 'warn', undefined]);
});

test('a stream on air is amber while others of the place are not heard', () => {
  const summary = says({ streams: [live, unheard], isUnheard: true });
  expect([summary, toneOf(summary)]).toEqual([{ kind: 'stream', stream: live, isPartial: true }, 'warn']);
  expect(says({ streams: [live] })).toMatchObject({ isPartial: false });
});

test('the service that is not heard is named: not the one whose page is open, if that is', () => {
  const services = [
    { id: 'a', name: 'Away' },
    { id: 'b', name: 'Backup' },
  ];
  const sent = { ...unheard, serviceId: 'b' };
  const says = (streams: StreamView[], serviceId: string | undefined, isHereUnread = false) =>
    describeUnheard({ streams, isHereUnread }, serviceId, services);
  expect([
    says([live], 'a'),
    says([live, sent], undefined),
    says([live, sent], 'a'),
    says([sent, { ...unheard, serviceId: 'a' }], 'a'),
    // A service that can't read its store knows nothing of its streams, wherever it sends them.
    says([live, unheard], 'a', true),
    says([live, sent], 'a', true),
    says([live], 'a', true),
    describeUnheard({ streams: [live], isHereUnread: false }, 'a', []),
  ]).toEqual([
    'no contact with Away',
    'no contact with Backup',
    'no contact with Backup',
    'no contact with Away',
    'no contact with this computer',
    'no contact with this computer',
    'no contact with this computer',
    'no contact with a service',
  ]);
});

test('the note begins with what is most urgent, since the bar has no room for all of it', () => {
  const others = 'and 3 more, 2 of them on air';
  const unheard = 'no contact with Backup';
  expect([
    formatSummaryNote({ air: 'ends in 9\u00a0s', unheard, others }),
    formatSummaryNote({ air: undefined, unheard, others }),
    formatSummaryNote({ air: undefined, unheard: undefined, others }),
    formatSummaryNote({ air: undefined, unheard: undefined, others: undefined }),
  ]).toEqual([
    'ends in 9\u00a0s · no contact with Backup · and 3 more, 2 of them on air',
    `${unheard} · ${others}`,
    others,
    undefined,
  ]);
});

test('a lost broadcast is shown only when nothing may be on air', () => {
  expect(shown({ streams: [idle, lost] })).toBe('lost');
  expect(says({ streams: [lost], isComplete: false })).toEqual({ kind: 'nothing-known' });
  expect(says({ streams: [lost, unheard], isUnheard: true })).toEqual({ kind: 'status', status: noContact });
});
