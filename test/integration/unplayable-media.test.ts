import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';
import { describeLossCause } from '../../src/shared/words/loss-words.ts';
import { publishTags } from '../support/publish-tags.ts';
import { makeSource, repeatTags, shiftTags } from '../support/synthetic-source.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

let stage: Awaited<ReturnType<typeof startTestService>>;
let tags: FlvTag[];
beforeAll(async () => {
  [stage, tags] = await Promise.all([startTestService(), makeSource({ seconds: 15, rate: '30', gopFrames: 30 })]);
});
afterAll(() => stage.close());

const isHeader = ({ kind, body }: FlvTag) => kind !== 'script' && body[1] === 0;
const isKeyframe = ({ kind, body }: FlvTag) => kind === 'video' && (body[0] ?? 0) >> 4 === 1;

/** A stream on air, which a second encoder with its key takes over. */
async function takeOver(name: string, sent: Iterable<FlvTag>) {
  const { id, streamKey } = (await stage.api('POST', '/stream', { name })).body;
  const target = { port: stage.urls.rtmpPort, streamKey };
  const watch = async (is: (live: StreamLive) => boolean) => waitUntil(await stage.app.stream.watch({ streamId: id }), is);
  const first = publishTags(target, repeatTags(tags, 15)).catch((error: unknown) => error);
  await watch(({ verdict }) => verdict?.code === 'good');
  const second = publishTags(target, sent).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { watch, first, second };
}

test.concurrent('an encoder that takes over and never sends a keyframe is told, and all is good with its first one', async () => {
  const withoutKeyframes = tags.filter(
    (tag) => isHeader(tag) || (tag.kind === 'video' && !isKeyframe(tag) && tag.timestampMs < 12_000),
  );
  const keyframes = tags.filter((tag) => tag.kind === 'video' && !isHeader(tag) && tag.timestampMs >= 12_000);
  let isSeen = false;
  /** Until the verdict has been seen that there is only on air. */
  function* choose() {
    yield* withoutKeyframes;
    for (let round = 0; round === 0 || !isSeen; round += 1) yield* shiftTags(keyframes, round * 3_000);
  }
  const { watch, first, second } = await takeOver('Without keyframes', choose());
  const told = await watch(({ verdict }) => verdict?.code === 'nothing-plays');
  expect(told.verdict).toEqual({ code: 'nothing-plays', severity: 'bad', why: 'no-keyframe', isBack: false });
  expect(told.stream.air).toMatchObject({ kind: 'on-air', unplayable: 'no-keyframe' });
  const again = await watch(({ verdict, stream: { air } }) => verdict?.code !== 'nothing-plays' && air.kind === 'on-air');
  isSeen = true;
  expect(again.stream.air).not.toHaveProperty('silentSince');
  expect(again.log.map(({ event }) => event)).toContainEqual({ code: 'trouble-began', verdict: told.verdict });
  await Promise.all([first, second]);
});

test.concurrent('an encoder that takes over and sends sound, but no keyframe, is not all good', async () => {
  const { watch, first, second } = await takeOver(
    'Sound without keyframes',
    tags.filter((tag) => isHeader(tag) || !isKeyframe(tag)),
  );
  const told = await watch(({ verdict }) => verdict?.code === 'no-picture');
  expect(told.verdict).toEqual({ code: 'no-picture', severity: 'bad', isWithoutKeyframe: true });
  await Promise.all([first, second]);
});

test.concurrent('an encoder that takes over and sends frames without parameters is told, and disconnected', async () => {
  const { watch, first, second } = await takeOver(
    'Without parameters',
    tags.filter((tag) => !isHeader(tag)),
  );
  const told = await watch(({ verdict }) => verdict?.code === 'nothing-plays');
  expect(told.verdict).toEqual({ code: 'nothing-plays', severity: 'bad', why: 'unusable', isBack: false });
  const lost = await watch(({ stream: { air } }) => air.kind === 'reconnecting');
  const cause = { code: 'no-media', forMs: 10_000, isUnusable: true } as const;
  expect(lost.log.map(({ event }) => event)).toContainEqual(expect.objectContaining({ code: 'encoder-lost', cause }));
  await first;
  // It learns why, and may connect again.
  expect(String(await second)).toContain(describeLossCause(cause));
});
