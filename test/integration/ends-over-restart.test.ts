import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testSource } from '../../src/shared/model/source.ts';
import { bugOnSignal } from '../support/break-close.ts';
import { startFfmpegPublisher } from '../support/ffmpeg-publisher.ts';
import { startTestHost } from '../support/headless-host.ts';
import { createStream, openHostContract } from '../support/host-contract.ts';
import { lightEncode } from '../support/light-encode.ts';
import { copyProbes } from '../support/probed-ffmpeg.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallylight-ends-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyProbes(folder);
  return folder;
}

test.each(['Go live', 'another encoder'])(
  'a bug that ends the process loses the broadcast of %s: its card says so after the restart, until dismissed',
  async (who) => {
    const dataFolder = await makeFolder();
    const host = await startTestHost({ dataFolder, env: bugOnSignal });
    let publisher: ReturnType<typeof startFfmpegPublisher> | undefined;
    onTestFinished(async () => {
      await host.kill();
      await publisher?.kill();
    });
    const streamId = await (async () => {
      using contract = await openHostContract(host.ready.uiUrl);
      const { id, streamKey } = await createStream(contract.app, { name: 'Sunday show' });
      if (who === 'Go live') await contract.app.broadcast.goLive({ streamId: id, source: testSource, encode: lightEncode });
      else publisher = startFfmpegPublisher(`${host.ready.ingestBaseUrl}/${streamKey}`);
      await waitUntil(await contract.app.stream.watch({ streamId: id }), ({ stream }) => stream.air.kind === 'on-air');
      return id;
    })();
    expect(await host.end('SIGUSR2')).toBe(1);

    await using again = await startTestService({ dataFolder });
    const readLive = async () => waitUntil(await again.app.stream.watch({ streamId }), () => true);
    const live = await readLive();
    expect(live).toMatchObject({
      lost: { severity: 'bad', reason: 'service-crashed' },
      lastBroadcast: { reason: 'service-crashed' },
      stream: { lost: { sessionId: live.lost?.sessionId } },
    });
    await again.app.broadcast.dismissLost({ streamId, sessionId: live.lost?.sessionId ?? '' });
    expect((await readLive()).lost).toBeUndefined();
  },
);

test('a program that ends a broadcast is named, and Stop holds across a restart', async () => {
  const dataFolder = await makeFolder();
  const streamId = await (async () => {
    await using service = await startTestService({ dataFolder });
    const { id } = await service.app.stream.create({ name: 'Sunday show' });
    const watch = async () => service.app.stream.watch({ streamId: id });
    const goOnAir = async () => {
      await service.app.broadcast.goLive({ streamId: id, source: testSource, encode: lightEncode });
      await waitUntil(await watch(), ({ stream }) => stream.air.kind === 'on-air');
    };
    await goOnAir();
    await service.api('DELETE', `/stream/${id}/terminate`);
    const { lastBroadcast } = await waitUntil(await watch(), ({ oneClick }) => oneClick.kind === 'idle');
    expect(lastBroadcast).toMatchObject({ reason: 'terminated', by: 'test' });
    await goOnAir();
    await service.app.broadcast.stop({ streamId: id });
    await expect(service.publish(id)).rejects.toThrow('This stream was stopped in Tallylight.');
    return id;
  })();
  await using again = await startTestService({ dataFolder });
  await expect(again.publish(streamId)).rejects.toThrow('This stream was stopped in Tallylight.');
  const { hold } = await waitUntil(await again.app.stream.watch({ streamId }), (live) => live.hold !== undefined);
  expect(hold?.lastTriedAt).toBeGreaterThanOrEqual(hold?.since ?? Number.POSITIVE_INFINITY);
  await again.app.broadcast.letIn({ streamId });
  await using _publisher = await again.publish(streamId);
});
