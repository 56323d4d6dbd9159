import { expect, test } from 'vitest';
import type { Refusal, RefusalReason } from '../../../shared/model/refusal.ts';
import { describeRefusalForOwner } from '../../../shared/words/loss-words.ts';
import { listRefused, type RefusedEncoder, splitRefused } from './refused-encoders.ts';

const nowMs = Date.UTC(2030, 0, 1);
const refusal = (changes: Partial<Refusal>): Refusal => ({
  id: 1,
  at: nowMs - 9_000,
  lastAt: nowMs - 3_900,
  count: 1,
  reason: { code: 'wrong-key' },
  address: '192.168.1.5',
  software: 'OBS Studio 29.0.2',
  ...changes,
});

test('an encoder that tries after Stop is listed once with its age, and can be allowed', () => {
  const hold = {
    id: nowMs - 20_000,
    since: nowMs - 20_000,
    isForeign: true,
    lastTriedAt: nowMs - 3_900,
    software: 'OBS Studio 29.0.2',
  };
  expect(listRefused({ hold, refusals: [refusal({ reason: { code: 'stopped' } })] }, nowMs)).toEqual([
    {
      id: `hold ${nowMs - 20_000} tried`,
      title: 'OBS Studio 29.0.2 tried 3\u00a0s ago and was refused',
      sentence: 'You stopped this stream. Stop the encoder too, or allow it.',
      news: 'OBS Studio 29.0.2 tried and was refused. You stopped this stream. Stop the encoder too, or allow it.',
      remedy: 'let-in',
    },
  ]);
  const [untried] = listRefused({ hold: { id: nowMs, since: nowMs, isForeign: true }, refusals: [] }, nowMs);
  expect(untried).toMatchObject({
    title: 'Off air',
    sentence:
      'You stopped this stream, so its encoder is refused until you allow it again, or until it has stopped trying for a minute.',
  });
});

test('a notice of a hold keeps its id when the clock is set: once dismissed, it stays dismissed', () => {
  const idsAt = (setMs: number) => {
    const hold = { id: 7, since: nowMs - 20_000 + setMs, isForeign: true };
    const tried = { ...hold, lastTriedAt: nowMs - 3_900 + setMs };
    const letIn = { ...tried, letInAt: nowMs - 1_000 + setMs };
    return [hold, tried, letIn].flatMap((each) => listRefused({ hold: each, refusals: [] }, nowMs + setMs).map(({ id }) => id));
  };
  expect([idsAt(0), idsAt(-3_600_000)]).toEqual(Array(2).fill(['hold 7', 'hold 7 tried', 'hold 7 let in']));
});

test('after stopping a one-click broadcast, an encoder is listed only once one has tried', () => {
  const hold = { id: nowMs - 20_000, since: nowMs - 20_000, isForeign: false };
  expect(listRefused({ hold, refusals: [] }, nowMs)).toEqual([]);
  const tried = { ...hold, lastTriedAt: nowMs - 3_900, software: 'OBS Studio 29.0.2' };
  const listed = listRefused({ hold: tried, refusals: [refusal({ reason: { code: 'stopped' } })] }, nowMs);
  expect(listed).toMatchObject([{ title: 'OBS Studio 29.0.2 tried 3\u00a0s ago and was refused', remedy: 'let-in' }]);
});

test('an allowed encoder is awaited, since its next try may take a while', () => {
  const hold = {
    id: nowMs - 20_000,
    since: nowMs - 20_000,
    isForeign: true,
    lastTriedAt: nowMs - 3_900,
    letInAt: nowMs - 1_000,
    software: 'OBS Studio 29.0.2',
  };
  const sentence = 'It goes on air when it next tries. To speed this up, restart streaming there.';
  expect(listRefused({ hold, refusals: [refusal({ reason: { code: 'stopped' } })] }, nowMs)).toEqual([
    { id: `hold ${nowMs - 20_000} let in`, title: 'OBS Studio 29.0.2 is allowed again', sentence },
  ]);
  expect(listRefused({ hold: { ...hold, software: undefined }, refusals: [] }, nowMs)).toMatchObject([
    { title: 'The encoder is allowed again', sentence },
  ]);
});

test('each refusal shows its reason, address and remedy', () => {
  const remedies: [RefusalReason, RefusedEncoder['remedy']][] = [
    [{ code: 'wrong-key' }, 'copy-key'],
    [{ code: 'old-key' }, 'copy-key'],
    [{ code: 'suspended' }, 'resume'],
    [{ code: 'stopped' }, 'let-in'],
    [{ code: 'codec', track: 'video', name: 'HEVC' }, undefined],
    [{ code: 'in-use', by: { name: 'FFmpeg', address: '127.0.0.1' } }, undefined],
    [{ code: 'wrong-app' }, undefined],
    [{ code: 'rtmps' }, undefined],
    [{ code: 'certificate' }, undefined],
    [{ code: 'restless' }, undefined],
    [{ code: 'store-unreadable', fault: { code: 'cannot-open' } }, undefined],
  ];
  const refusals = remedies.map(([reason], id) => refusal({ id, reason }));
  expect(listRefused({ refusals }, nowMs).map(({ title, sentence, remedy }) => [title, sentence, remedy])).toEqual(
    remedies.map(([reason, remedy]) => {
      const { what, why } = describeRefusalForOwner(reason);
      return [`OBS Studio 29.0.2 ${what} 3\u00a0s ago`, `From 192.168.1.5. ${why}`, remedy];
    }),
  );
});

test('an unnamed local encoder that keeps trying is one line, dismissed once', () => {
  const [first] = listRefused({ refusals: [refusal({ software: undefined, address: '127.0.0.1', count: 4 })] }, nowMs);
  expect(first).toEqual({
    id: '1',
    title: 'An encoder used a wrong stream key 3\u00a0s ago',
    sentence: "4 times, from this computer. Paste this stream's key into it.",
    news: "An encoder used a wrong stream key. Paste this stream's key into it.",
    remedy: 'copy-key',
  });
  const [again] = listRefused({ refusals: [refusal({ software: undefined, address: '127.0.0.1', count: 2 })] }, nowMs);
  expect(again?.sentence).toBe("Twice, from this computer. Paste this stream's key into it.");
});

test('a suspended stream can be resumed from the off-air screen, whoever was refused for another reason', () => {
  const stream = { air: { kind: 'off-air' }, suspended: true } as const;
  const wrongKey = refusal({ id: 2 });
  const refused = refusal({ reason: { code: 'suspended' } });
  const split = (refusals: Refusal[], changes = {}) => {
    const { news, above } = splitRefused({ stream: { ...stream, ...changes }, refusals }, nowMs);
    return [news?.id, news?.remedy, above.map(({ id }) => id)];
  };
  expect(split([])).toEqual(['suspended', 'resume', []]);
  expect(split([wrongKey])).toEqual(['suspended', 'resume', ['2']]);
  expect(split([wrongKey, refused])).toEqual(['suspended', 'resume', ['2', '1']]);
  expect(split([refused, wrongKey])).toEqual(['1', 'resume', ['2']]);
  expect(split([wrongKey, refused], { suspended: false })).toEqual(['2', 'copy-key', ['1']]);
  expect(split([], { suspended: false })).toEqual([undefined, undefined, []]);
  expect(split([wrongKey], { air: { kind: 'connecting' } })).toEqual([undefined, undefined, ['2']]);
});
