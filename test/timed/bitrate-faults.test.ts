import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BitrateEvent } from '../../src/shared/model/bitrate-event.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeLogEvent } from '../../src/shared/words/log-words.ts';
import { isReconnected, startFaultStage } from '../support/fault-stage.ts';

let stage: Awaited<ReturnType<typeof startFaultStage>>;
beforeAll(async () => {
  stage = await startFaultStage();
});
afterAll(async () => {
  expect(await stage.close()).toEqual([]);
});

/** The decisions on the bitrate in "What happened". */
const decisions = ({ log }: StreamLive) => log.flatMap(({ event }) => (event.code === 'bitrate' ? [event.event.code] : []));
const hasDecided =
  (...codes: BitrateEvent['code'][]) =>
  (live: StreamLive) =>
    codes.every((code) => decisions(live).includes(code));

test('a way that carries less than the least bitrate: dropped frames and the floor are in "What happened"', async () => {
  await using broadcast = await stage.goOnAir({ name: 'Floor' });
  // The sound alone is 64 kbit/s, and the video at least 200.
  broadcast.proxy.throttle(150_000);
  const { log } = await broadcast.until(hasDecided('lowered', 'frames-dropped', 'at-floor'));
  const said = (code: BitrateEvent['code']) => {
    const line = log.find(({ event }) => event.code === 'bitrate' && event.event.code === code);
    return (
      line &&
      describeLogEvent(line.event, 0)
        .replace(/[\d\u202f]+/g, 'n')
        .replaceAll('\u00a0', ' ')
        .replace('n frame ', 'n frames ')
    );
  };
  expect([said('lowered'), said('frames-dropped'), said('at-floor')]).toEqual([
    'Lowering the video bitrate from n to n kbit/s: n ms of media was waiting to be sent.',
    "n frames dropped up to a keyframe, since this encoder's frames all depend on each other: the connection to the ingest was too slow.",
    'n ms of media is waiting, and the video bitrate is already as low as it gets: n kbit/s.',
  ]);
  await broadcast.until(({ verdict }) => verdict?.code === 'upload-slow' && verdict.isLowest === true);
  broadcast.proxy.throttle(undefined);
  await broadcast.stop();
});

test('a connection that is reset while the encoder is replaced: the replacement ends, and the new connection has its bitrate', async () => {
  await using broadcast = await stage.goOnAir({ name: 'Reset' });
  const { session } = await broadcast.until(({ oneClick }) => oneClick.kind === 'running');
  broadcast.proxy.throttle(300_000);
  // The decision is told before the encoder is replaced, which takes a second or two.
  await broadcast.until(hasDecided('lowered'));
  broadcast.proxy.reset();
  broadcast.proxy.throttle(undefined);
  const live = await broadcast.until(
    (now) => isReconnected(now) && now.oneClick.kind === 'running' && now.oneClick.videoBitrateBps !== undefined,
  );
  expect(live.session?.id).toBe(session?.id);
  await broadcast.timeUntilCurrent();
  // The one before has ended.
  await expect.poll(() => broadcast.encoder().then(({ pid }) => pid > 0)).toBe(true);
  const { playlist } = await broadcast.stop();
  expect(playlist).toMatchObject({ broken: [], early: 0 });
});
