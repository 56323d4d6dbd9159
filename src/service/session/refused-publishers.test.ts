import { expect, test } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { encoderMetadata } from '../../../test/support/flv-builder.ts';
import { readEightSeconds } from '../../../test/support/flv-fixture.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import { watchStream } from '../handlers/watch-stream.ts';
import { createEventSource } from '../lib/event-source.ts';
import { ownSoftware } from '../lib/own-software.ts';
import type { StreamChange } from '../streams/stream-change.ts';

async function openStage() {
  const stand = await openStoreStand();
  const { streams, clock } = stand;
  const changes = createEventSource<StreamChange>();
  const registry = createTestRegistry(stand, {
    changes,
    tickMs: 10,
  });
  const publish = (key: string, remoteAddress = '192.0.2.1', software = 'FMLE/3.0 (compatible; Lavf60.3.100)') =>
    registry.admit(key, createPublisher({ remoteAddress, software, connectedAt: clock.time }));
  const sinkOf = (key: string) => {
    return admitted(publish(key));
  };
  const causes = (streamId: string) =>
    registry.listRefusals(streams.getKeyless(streamId)).map(({ reason, count }) => `${reason.code} ${count}`);
  const closeAll = async () => {
    await registry.close();
    stand.close();
  };
  return { streams, registry, clock, changes, publish, sinkOf, causes, [Symbol.asyncDispose]: closeAll };
}

test('a wrong key is listed on every stream without a publisher, and on none that has one; no refusal contains a key', async () => {
  await using stage = await openStage();
  const live = await stage.streams.create({ name: 'On air' });
  const quiet = await stage.streams.create({ name: 'Off air' });
  const sink = stage.sinkOf(live.streamKey);
  for (const tag of readEightSeconds()) pushTag(sink, tag);
  const heard = new Promise<void>((resolve) => stage.registry.onUnknownKey(resolve));
  stage.publish('abcd-efgh-ijkl-mnop', '192.0.2.7');
  await heard;
  const atMs = stage.clock.now();
  expect(stage.registry.listRefusals(quiet)).toEqual([
    {
      id: 1,
      at: atMs,
      lastAt: atMs,
      count: 1,
      address: '192.0.2.7',
      software: 'FFmpeg',
      reason: { code: 'wrong-key' },
    },
  ]);
  expect(stage.causes(live.id)).toEqual([]);
});

test('a publisher that was lost and comes back with a wrong key is listed at once; once it is admitted, no other is', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const sink = stage.sinkOf(streamKey);
  for (const tag of readEightSeconds()) pushTag(sink, tag);
  sink.end({ kind: 'lost', cause: { code: 'connection-broke', reason: 'ECONNRESET' } });
  expect(stage.registry.findLive(id)?.air.kind).toBe('reconnecting');
  const cancelling = new AbortController();
  const watched = watchStream(stage, () => stage.causes(id), {
    streamId: id,
    signal: cancelling.signal,
  });
  const heard = async () => (await watched.next()).value;
  expect(await heard()).toEqual([]);
  stage.publish('abcd-efgh-ijkl-mnop');
  await expect.poll(heard).toEqual(['wrong-key 1']);
  stage.publish('abcd-efgh-ijkl-mnop', '192.0.2.7');
  await expect.poll(heard).toEqual(['wrong-key 1', 'wrong-key 1']);
  stage.sinkOf(streamKey);
  expect(stage.causes(id)).toEqual([]);
  cancelling.abort();
});

test('an old key, a suspended stream and a codec are listed on their own stream only, as long as they are true', async () => {
  await using stage = await openStage();
  const { id, streamKey: oldKey } = await stage.streams.create({ name: 'Sunday show' });
  const other = await stage.streams.create({ name: 'Other' });
  await stage.streams.renewKey(id);
  const key = stage.streams.revealKey(id);
  const changed = new Promise<string>((resolve) => stage.changes.on(({ streamId }) => resolve(streamId)));
  stage.publish(oldKey);
  expect(await changed).toBe(id);
  stage.publish(oldKey);
  expect([stage.causes(id), stage.causes(other.id)]).toEqual([['old-key 2'], []]);
  await stage.streams.update(id, { suspended: true });
  stage.clock.time += 1;
  stage.publish(key);
  expect(stage.causes(id)).toEqual(['suspended 1', 'old-key 2']);
  await stage.streams.update(id, { suspended: false });
  expect(stage.causes(id)).toEqual(['old-key 2']);
  for (const count of [1, 2]) {
    stage.sinkOf(key).end({ kind: 'lost', cause: { code: 'codec', track: 'video', name: 'HEVC' } });
    expect(stage.causes(id)).toEqual([`codec ${count}`]);
  }
});

test('a publisher that was replaced by another is listed, our own too; a publisher that only reconnected is not', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  for (let turn = 0; turn < 2; turn += 1) {
    stage.publish(streamKey, '127.0.0.1', ownSoftware);
    expect(stage.causes(id)).toEqual([]);
  }
  stage.publish(streamKey);
  expect(stage.registry.listRefusals(stage.streams.getKeyless(id))).toMatchObject([
    { address: '127.0.0.1', software: 'Tallylight', reason: { code: 'in-use', by: { address: '192.0.2.1' } } },
  ]);
  // The same publisher on a new connection.
  stage.publish(streamKey);
  expect(stage.causes(id)).toEqual([]);
  stage.publish(streamKey, '192.0.2.7', 'GStreamer 1.22.0');
  expect(stage.registry.listRefusals(stage.streams.getKeyless(id))).toMatchObject([
    {
      address: '192.0.2.1',
      software: 'FFmpeg',
      reason: { code: 'in-use', by: { name: 'GStreamer 1.22.0', address: '192.0.2.7' } },
    },
  ]);
  expect(stage.registry.findLive(id)?.log.lines[0]?.event).toEqual({
    code: 'took-over',
    encoder: { name: 'GStreamer 1.22.0', address: '192.0.2.7' },
  });
});

test('a publisher that was replaced is listed by the name that its media told', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const sink = admitted(stage.publish(streamKey, '192.0.2.1', 'FMLE/3.0 (compatible; FMSc/1.0)'));
  pushTag(sink, encoderMetadata({ encoder: 'obs-output module (libobs version 29.0.2.1-1+b1)' }));
  stage.publish(streamKey, '192.0.2.7', 'LNX 10,0,32,18');
  expect(stage.registry.listRefusals(stage.streams.getKeyless(id))).toMatchObject([
    { software: 'OBS Studio 29.0.2', reason: { code: 'in-use', by: { address: '192.0.2.7' } } },
  ]);
});

test('an encoder that is refused for its codec is listed by the name that its metadata told just before', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const sink = admitted(stage.publish(streamKey, '192.0.2.1', 'FMLE/3.0 (compatible; FMSc/1.0)'));
  pushTag(sink, encoderMetadata({ encoder: 'obs-output module (libobs version 29.0.2.1-1+b1)' }));
  const reason = { code: 'codec', track: 'video', name: 'VP9' } as const;
  sink.end({ kind: 'lost', cause: reason });
  const at = stage.clock.now();
  expect(stage.registry.listRefusals(stage.streams.getKeyless(id))).toEqual([
    { id: 1, at, lastAt: at, count: 1, reason, address: '192.0.2.1', software: 'OBS Studio 29.0.2' },
  ]);
});

test('an encoder that takes its stream back from another is called by its name', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const publishObs = () => admitted(stage.publish(streamKey, '192.0.2.1', 'FMLE/3.0 (compatible; FMSc/1.0)'));
  const sink = publishObs();
  for (const tag of readEightSeconds()) pushTag(sink, tag);
  pushTag(sink, encoderMetadata({ encoder: 'obs-output module (libobs version 29.0.2.1-1+b1)' }));
  stage.publish(streamKey, '192.0.2.7', 'GStreamer 1.22.0');
  publishObs();
  const encoder = { name: 'OBS Studio 29.0.2', address: '192.0.2.1' };
  expect(stage.registry.listRefusals(stage.streams.getKeyless(id))).toMatchObject([
    { software: 'GStreamer 1.22.0', reason: { code: 'in-use', by: encoder } },
  ]);
  expect(stage.registry.findLive(id)?.log.lines[0]?.event).toEqual({ code: 'took-over', encoder });
});

test('an encoder that takes over is called by its name as soon as its metadata tells it', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const read = () => ({
    happened: stage.registry.findLive(id)?.log.lines.map(({ event }) => event),
    reasons: stage.registry.listRefusals(stage.streams.getKeyless(id)).map(({ reason }) => reason),
  });
  const replaced = admitted(stage.publish(streamKey));
  const sink = admitted(stage.publish(streamKey, '192.0.2.7', 'LNX 10,0,32,18'));
  const nameless = { address: '192.0.2.7' };
  expect(read()).toEqual({
    happened: [{ code: 'took-over', encoder: nameless }],
    reasons: [{ code: 'in-use', by: nameless }],
  });
  pushTag(sink, encoderMetadata({ encoder: 'GStreamer 1.22.0 FLV muxer' }));
  const named = { name: 'GStreamer 1.22.0', address: '192.0.2.7' };
  const known = { happened: [{ code: 'took-over', encoder: named }], reasons: [{ code: 'in-use', by: named }] };
  expect(read()).toEqual(known);
  pushTag(replaced, encoderMetadata({ encoder: 'vMix' }));
  expect(read()).toEqual(known);
});

test('an encoder that connects as another did, and takes over from it, is called by the name that its metadata tells', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const publish = () => admitted(stage.publish(streamKey, '127.0.0.1', 'FMLE/3.0 (compatible; FMSc/1.0)'));
  pushTag(publish(), encoderMetadata({ encoder: 'obs-output module (libobs version 29.0.2.1-1+b1)' }));
  pushTag(publish(), encoderMetadata({ encoder: 'vMix 27' }));
  expect(stage.registry.findLive(id)?.log.lines.map(({ event }) => event)).toEqual([
    { code: 'took-over', encoder: { name: 'vMix', address: '127.0.0.1' } },
  ]);
});

test('a publisher that was disconnected before it sent a key is listed on every stream off air', async () => {
  await using stage = await openStage();
  const { id } = await stage.streams.create({ name: 'Off air' });
  stage.registry.refuseUnheard({ remoteAddress: '192.0.2.7', software: undefined }, { code: 'wrong-app' });
  expect(stage.registry.listRefusals(stage.streams.getKeyless(id))).toMatchObject([
    { reason: { code: 'wrong-app' }, address: '192.0.2.7' },
  ]);
});

test('our own encoder that fails for good loses the session, but not one of another publisher', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const goOnAir = (software: string, address = '127.0.0.1') => {
    const sink = admitted(stage.publish(streamKey, address, software));
    for (const tag of readEightSeconds()) pushTag(sink, tag);
  };
  const failure = { code: 'exited', exitCode: 1 } as const;
  goOnAir(ownSoftware);
  stage.registry.ownEncoderFailed(id, failure);
  expect(stage.registry.findLive(id)?.air).toMatchObject({ kind: 'off-air', reason: 'encoder-failed' });
  const { ends } = stage.streams;
  expect(ends.find(ends.findLost(id) ?? '')).toMatchObject({ reason: 'encoder-failed', failure });
  goOnAir('GStreamer 1.22.0');
  stage.registry.ownEncoderFailed(id, failure);
  expect(stage.registry.findLive(id)?.air.kind).toBe('on-air');
  stage.registry.sendPublisherAway(id, { code: 'key-renewed' });
  stage.registry.ownEncoderFailed(id, failure);
  expect(stage.registry.findLive(id)?.air.kind).toBe('reconnecting');
  // Another computer's Tallylight.
  goOnAir(ownSoftware, '192.0.2.7');
  stage.registry.ownEncoderFailed(id, failure);
  expect(stage.registry.findLive(id)?.air.kind).toBe('on-air');
});

test('a publisher that tries after Stop is listed while the stream is held', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const sink = stage.sinkOf(streamKey);
  for (const tag of readEightSeconds()) pushTag(sink, tag);
  stage.registry.endSession(id, { reason: 'stopped' });
  stage.publish(streamKey);
  expect(stage.causes(id)).toEqual(['stopped 1']);
  stage.registry.findLive(id)?.letIn('all');
  expect(stage.causes(id)).toEqual([]);
});

test('a stream that begins too often refuses every publisher, until it has been quiet', async () => {
  await using stage = await openStage();
  const { id, streamKey } = await stage.streams.create({ name: 'Sunday show' });
  const answers = Array.from({ length: 20 }, () => {
    const answer = stage.publish(streamKey);
    if (answer.kind === 'admitted') answer.sink.end({ kind: 'unpublished' });
    return answer.kind;
  });
  expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => (index < 13 ? 'admitted' : 'refused')));
  expect(stage.causes(id)).toEqual(['restless 7']);
  stage.clock.time += 10_000;
  expect(stage.publish(streamKey).kind).toBe('admitted');
});
