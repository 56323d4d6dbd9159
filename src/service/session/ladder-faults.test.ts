import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { admitted } from '../../../test/support/admitted.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { makeDiskFault } from '../../../test/support/disk-fault.ts';
import { idleLadder } from '../../../test/support/idle-ladder.ts';
import { eightSeconds } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { soon } from '../../../test/support/soon.ts';
import { createTestLog, openStoreStand, type StoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import type { LadderEvent } from '../../shared/model/ladder-event.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import { onFault } from '../lib/faults.ts';
import type { RunningLadder } from '../transcode/running-ladder.ts';
import type { StartLadder } from './publisher-renditions.ts';
import type { RenditionNews } from './rendition-news.ts';
import type { SessionRegistry } from './session-registry.ts';
import { startLadder } from './start-ladder.ts';

let stand: StoreStand;
let registry: SessionRegistry | undefined;
let faults: string[];
let off: () => void;
beforeEach(async () => {
  stand = await openStoreStand();
  faults = [];
  off = onFault(({ during }) => faults.push(during));
});
afterEach(async () => {
  await registry?.close();
  off();
  stand.close();
});

const names = ['720p'];
const shed: LadderEvent = { code: 'shed', severity: 'warn', names };
const routine: LadderEvent[] = [
  { code: 'started', severity: 'good', names },
  { code: 'overflow', severity: 'warn', names, frames: 3 },
];

function makeLadder(parts: Partial<RunningLadder>): RunningLadder {
  return { stateOf: () => 'running', push: () => {}, tick: () => {}, leaveOut: () => {}, drain: async () => {}, ...parts };
}

function failReads(): void {
  vi.spyOn(stand.streams, 'findByPlaybackId').mockImplementation(() => {
    throw makeDiskFault();
  });
}

/** A stream with renditions, its registry, and a way to publish on it. */
async function openShow(start: StartLadder, onRenditionNews: (news: RenditionNews) => void = () => {}) {
  const { streams, clock } = stand;
  const stream = await streams.create({ name: 'Sunday show', profiles: [...recommendedProfiles] });
  registry = createTestRegistry(stand, {
    onRenditionNews,
    startLadder: start,
    log: createTestLog().log,
  });
  const open = registry;
  const publish = () => {
    return admitted(open.admit(stream.streamKey, createPublisher({ connectedAt: clock.time })));
  };
  return { publish, air: () => open.findLive(stream.id)?.air.kind };
}

test('events of a ladder harm no broadcast while the store cannot be read, and are still reported', async () => {
  const news: string[] = [];
  const events = [...routine, shed];
  const show = await openShow(
    ({ onEvent }) =>
      makeLadder({
        push() {
          const event = events.shift();
          if (event) onEvent(event, []);
        },
      }),
    ({ event, streamName }) => news.push(`${event.code} ${streamName}`),
  );
  const sink = show.publish();
  failReads();
  for (const tag of eightSeconds) pushTag(sink, tag);
  expect([show.air(), news, faults]).toEqual(['on-air', ['shed Sunday show'], []]);
});

test('if nothing can encode, a publisher takes over while the store cannot be read', async () => {
  const news: string[] = [];
  const encoders = {
    picked: {
      ffmpeg: { kind: 'missing', reason: { code: 'not-found' } },
      encoder: undefined,
      canDecode: () => true,
    } as const,
    pickSoon: () => Promise.reject(new Error('It is known.')),
    onFound: () => () => {},
    ffmpegPath: undefined,
  };
  const show = await openShow(
    (options) => startLadder(options, { encoders, clock: stand.clock }),
    ({ event }) => news.push(event.code),
  );
  const first = show.publish();
  for (const tag of eightSeconds) pushTag(first, tag);
  failReads();
  const sink = show.publish();
  for (const tag of eightSeconds) pushTag(sink, tag);
  expect([show.air(), new Set(news), faults]).toEqual(['on-air', new Set(['given-up']), []]);
});

test.each<[string, StartLadder]>([
  [
    'cannot be started',
    () => {
      throw new Error('A bug.');
    },
  ],
  [
    'fails while it is fed',
    () =>
      makeLadder({
        push() {
          throw new Error('A bug.');
        },
      }),
  ],
])('a ladder that %s leaves the source on air, and is reported once', async (_, start) => {
  const show = await openShow(start);
  const sink = show.publish();
  for (const tag of eightSeconds) pushTag(sink, tag);
  expect([show.air(), faults]).toEqual(['on-air', ['the renditions of a publisher']]);
  sink.end({ kind: 'unpublished' });
  expect(show.air()).toBe('off-air');
});

test('a listener for renditions that throws harms neither the ladder nor the broadcast', async () => {
  const show = await openShow(
    ({ onEvent, renditions }) => {
      onEvent(shed, []);
      for (const rendition of renditions) rendition.onLeave({ atOnce: true });
      return idleLadder;
    },
    () => {
      throw new Error('A bug.');
    },
  );
  const sink = show.publish();
  for (const tag of eightSeconds) pushTag(sink, tag);
  expect([show.air(), faults]).toEqual(['on-air', ['reporting a rendition']]);
});

test('a ladder that cannot be drained delays neither the end of its broadcast nor the next publisher', async () => {
  let taken = 0;
  const show = await openShow(() =>
    makeLadder({
      push() {
        taken += 1;
      },
      drain: () => Promise.reject(new Error('A bug.')),
    }),
  );
  for (const count of [1, 2]) {
    taken = 0;
    const sink = show.publish();
    for (const tag of eightSeconds) pushTag(sink, tag);
    sink.end({ kind: 'unpublished' });
    await soon(() => expect(faults).toEqual(Array.from({ length: count }, () => 'the renditions of a publisher')));
    expect(taken).toBeGreaterThan(0);
  }
  await registry?.close();
});
