import { expect, test } from 'vitest';
import { startCountingWork } from '../../../test/support/count-work.ts';

const { countWork } = await startCountingWork();
// Imported only after that, so that their work is counted.
const { audioFrame, audioHeader, videoFrame, videoHeader } = await import('../../../test/support/flv-builder.ts');
const { TagPackager } = await import('../../../test/support/tag-packager.ts');
const { createSegmentStore } = await import('../../../test/support/create-segment-store.ts');

type Tag = ReturnType<typeof audioFrame>;

/** The work of packaging these tags, which all arrive within `arriveInMs`. */
function pack(tags: readonly Tag[], arriveInMs = 0) {
  let seconds = 0;
  const packager = new TagPackager({
    startedAtMs: 1_000_000,
    sink: createSegmentStore(),
    onSegment: ({ durationSeconds }) => {
      seconds += durationSeconds;
    },
  });
  const { steps } = countWork(() => {
    for (const [index, tag] of tags.entries()) packager.push(tag, 1_000_000 + (arriveInMs * index) / tags.length);
    packager.end();
  });
  return { stepsPerTag: steps / tags.length, seconds };
}

const headers = [videoHeader(), audioHeader()];
const many = (count: number, make: (index: number) => Tag) => Array.from({ length: count }, (_, index) => make(index));

test.each([
  ['audio only', [audioHeader(), ...many(300, (index) => audioFrame(index * 4_900, 10))]],
  ['audio, and video that was announced', [...headers, ...many(300, (index) => audioFrame(index * 4_900, 10))]],
  [
    'audio, and video that has stopped',
    [...headers, videoFrame(0, { keyframe: true }), ...many(300, (index) => audioFrame(index * 4_900, 10))],
  ],
  [
    'video, and audio that was announced',
    [...headers, ...many(300, (index) => videoFrame(index * 4_900, { keyframe: true, sizeBytes: 10 }))],
  ],
  [
    'video and audio, a minute apart in turn',
    [
      ...headers,
      ...many(300, (index) => (index % 2 ? audioFrame(index * 2_400, 10) : videoFrame(index * 2_400, { keyframe: true }))),
    ],
  ],
])(
  'a few kilobytes of %s that claim to be hours cost no more than a few kilobytes',
  (_what, tags) => {
    expect(pack(tags).stepsPerTag).toBeLessThan(8_000);
  },
  60_000,
);
