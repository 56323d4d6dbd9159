import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FlvTag } from '../../src/service/flv/flv-tag.ts';
import type { Verdict } from '../../src/shared/model/verdict.ts';
import { encodeFlv } from '../support/ffmpeg.ts';
import { publishTags } from '../support/publish-tags.ts';
import { bothSides, voice } from '../support/sounds.ts';
import { startTestService } from '../support/test-service.ts';

let stage: Awaited<ReturnType<typeof startTestService>>;
let tags: readonly FlvTag[];
beforeAll(async () => {
  [stage, tags] = await Promise.all([
    startTestService(),
    encodeFlv([
      ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-f', 'lavfi', '-i', `${voice},${bothSides}`],
      ...['-t', '90', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10', '-bf', '0'],
      ...['-c:a', 'aac', '-b:a', '128k'],
    ]),
  ]);
});
afterAll(() => stage.close());

/** Broadcasts with audio whose clock runs this much as fast; returns the verdicts, one after the other, and what ends it. */
async function broadcast(name: string, audioPace: number) {
  const { app, urls } = stage;
  const { id: streamId } = await app.stream.create({ name });
  const { streamKey } = await app.stream.revealKey({ streamId });
  const stamp = (tag: FlvTag) =>
    tag.kind === 'audio' ? { ...tag, timestampMs: Math.round(tag.timestampMs * audioPace) } : tag;
  // The test ends the broadcast before its tags do.
  const published = publishTags({ port: urls.rtmpPort, streamKey, stamp }, tags).catch(() => {});
  const verdicts: Verdict[] = [];
  const watched = await app.stream.watch({ streamId });
  const told = (async () => {
    for await (const { verdict, stages } of watched) {
      if (verdict === undefined) continue;
      verdicts.push(verdict);
      if (verdict.code === 'sound-drifts') return { verdict, stages };
    }
    return undefined;
  })();
  const stop = async () => {
    await watched.return?.(undefined);
    await app.broadcast.stop({ streamId });
    await Promise.all([published, told]);
  };
  return { verdicts, told, stop };
}

test('sound whose clock runs 2 % fast is reported as drifting from the picture, and sound that keeps time is not', async () => {
  const [drifting, steady] = await Promise.all([broadcast('Drifting', 1.02), broadcast('Steady', 1)]);
  const told = await drifting.told;
  expect(told?.verdict).toEqual({ code: 'sound-drifts', severity: 'warn', driftMs: expect.any(Number), isOwn: false });
  expect(told?.verdict.code === 'sound-drifts' && told.verdict.driftMs).toBeGreaterThanOrEqual(80);
  expect(told?.stages).toContainEqual({
    stage: 'encode',
    code: 'encoding-sound',
    severity: 'warn',
    trouble: 'sound-drifts',
  });
  const steadily = steady.verdicts.map(({ code }) => code);
  expect(steadily).toContain('good');
  expect(steadily).not.toContain('sound-drifts');
  await Promise.all([drifting.stop(), steady.stop()]);
});
