import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeVerdict } from '../../src/shared/words/verdict-words.ts';
import { signalProcess } from '../../src/tools/processes.ts';
import { type FaultyBroadcast, startFaultStage } from '../support/fault-stage.ts';
import { loopedFile } from '../support/looped-file.ts';
import { soon } from '../support/soon.ts';

const media = new URL('../fixtures/media/eight-seconds.flv', import.meta.url);
let stage: Awaited<ReturnType<typeof startFaultStage>>;
let folder: string;
let path: string;
let killed: FaultyBroadcast;
let frozen: FaultyBroadcast;
let vanishing: FaultyBroadcast;

beforeAll(async () => {
  stage = await startFaultStage();
  folder = await mkdtemp(join(tmpdir(), 'tallylight-faults-'));
  path = join(folder, 'show.flv');
  await copyFile(media, path);
  // One after another, since each takes new processes for its own.
  killed = await stage.goOnAir({ name: 'Killed', fps: 10 });
  frozen = await stage.goOnAir({ name: 'Frozen', fps: 11 });
  vanishing = await stage.goOnAir({ name: 'Vanishing', source: loopedFile(path), fps: 12 });
});
afterAll(async () => {
  // No process, socket or timer outlives its broadcast.
  expect(await stage.close()).toEqual([]);
  await rm(folder, { recursive: true });
});

test.concurrent('ffmpeg killed: replaced at once, on the same connection', async () => {
  await using broadcast = killed;
  expect(signalProcess(await broadcast.encoder(), 'SIGKILL')).toBe(true);
  await stage.recover('ffmpeg killed', broadcast);
  expect(broadcast.proxy.connectionCount).toBe(1);
  expect(await broadcast.stop()).toEqual({
    log: [
      'On air after n s.',
      'You stopped the broadcast in Tallylight.',
      'ffmpeg was killed (SIGKILL). The video encoder was restarted.',
    ],
    failures: [],
    playlist: { broken: [], isContinued: expect.any(Boolean), early: 0 },
  });
});

test.concurrent('ffmpeg frozen: noticed after 5 s and replaced, on the same connection', async () => {
  await using broadcast = frozen;
  // The sound waits 8 s for the picture. If that is far behind on a busy computer, the sound continues before there is any silence.
  await soon(() => expect(broadcast.behindMs).toBeLessThan(3_000), 60_000);
  expect(signalProcess(await broadcast.encoder(), 'SIGSTOP')).toBe(true);
  await broadcast.until(({ verdict }) => verdict?.code === 'nothing-arrives' && verdict.isOwn);
  await stage.recover('ffmpeg frozen, from when it is said', broadcast);
  expect(broadcast.proxy.connectionCount).toBe(1);
  expect(await broadcast.stop()).toEqual({
    log: [
      'On air after n s.',
      'You stopped the broadcast in Tallylight.',
      'ffmpeg froze: it output nothing for n s. The video encoder was restarted.',
    ],
    failures: [],
    playlist: { broken: [], isContinued: expect.any(Boolean), early: 0 },
  });
});

test.concurrent('the file vanishes: viewers see black, until it is back', async () => {
  await using broadcast = vanishing;
  await rm(path);
  // Once it has to be opened again. A busy computer may have been too slow to play it before.
  const isGone = ({ verdict }: StreamLive) => verdict?.code === 'source-away' && verdict.away.fault.code === 'file-gone';
  const { verdict } = await broadcast.until(isGone);
  expect(verdict && describeVerdict(verdict, 0)).toEqual({
    title: "“show.flv” can't be found",
    sentence: 'Viewers see black. The file may have been moved or deleted. Choose it again.',
  });
  await copyFile(media, path);
  const since = performance.now();
  await broadcast.until((live) => live.oneClick.kind === 'running' && live.oneClick.away.length === 0);
  stage.record('file gone', (performance.now() - since) / 1000);
  expect(await broadcast.stop()).toEqual({
    log: ['On air after n s.', 'You stopped the broadcast in Tallylight.'],
    failures: [],
    playlist: { broken: [], isContinued: expect.any(Boolean), early: 0 },
  });
});

test('ffmpeg killed six times within a minute: restarted all the same, and the broadcast lives on', async () => {
  await using broadcast = await stage.goOnAir({ name: 'Killed again and again' });
  const { session } = await broadcast.until(({ session }) => session !== undefined);
  const restarts = ({ log }: StreamLive) => log.filter(({ event }) => event.code === 'encoder-restarted').length;
  const killed: number[] = [];
  for (let time = 1; time <= 6; time += 1) {
    await expect.poll(() => broadcast.encoder().then(({ pid }) => killed.includes(pid))).toBe(false);
    const running = await broadcast.encoder();
    killed.push(running.pid);
    expect(signalProcess(running, 'SIGKILL')).toBe(true);
    await broadcast.until((live) => restarts(live) === time);
  }
  await stage.recover('ffmpeg killed six times', broadcast, { withinSeconds: 20 });
  const { oneClick, session: after } = await broadcast.until(({ verdict }) => verdict?.severity !== 'bad');
  expect([oneClick.kind, after?.id]).toEqual(['running', session?.id]);
  expect(broadcast.proxy.connectionCount).toBe(1);
  expect((await broadcast.stop()).playlist).toEqual({ broken: [], isContinued: expect.any(Boolean), early: 0 });
});
