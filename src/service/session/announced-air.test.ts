import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseBySeed } from '../../../test/support/chaos/seeded-choice.ts';
import { createPublisher } from '../../../test/support/create-publisher.ts';
import { withoutKeyframes } from '../../../test/support/flv-builder.ts';
import { eightSeconds } from '../../../test/support/live-stage.ts';
import { pushTag } from '../../../test/support/push-tag.ts';
import { openStoreStand } from '../../../test/support/store-stand.ts';
import { createTestRegistry } from '../../../test/support/test-registry.ts';
import type { FlvTag } from '../flv/flv-tag.ts';
import type { PublisherSink } from '../ingest/publish-gate.ts';
import { createEventSource } from '../lib/event-source.ts';
import type { StreamChange } from '../streams/stream-change.ts';

/** What a publisher may send, eight seconds of each. */
const kinds = {
  all: eightSeconds,
  nothing: [],
  unusable: eightSeconds.map((tag) => (tag.kind === 'video' ? { ...tag, body: tag.body.subarray(0, 7) } : tag)),
  'no keyframe': withoutKeyframes(eightSeconds).filter(({ kind }) => kind === 'video'),
} satisfies Record<string, readonly FlvTag[]>;
const loopMs = 8_000;
const showMs = 100_000;
/** By whole milliseconds, the clock may be one behind the timers. */
const announcedWithinMs = 2;

test.each([3, 4])(
  'whatever publishers and owners do, a change of the air state is announced at once (seed %i)',
  async (seed) => {
    const choice = chooseBySeed(seed);
    const stand = await openStoreStand();
    onTestFinished(() => stand.close());
    const { streams, clock } = stand;
    const { id, streamKey = '' } = await streams.create({ name: 'Sunday show' });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const changes = createEventSource<StreamChange>();
    const registry = createTestRegistry(stand, { changes, reconnectWindowMs: () => 10_000 });
    onTestFinished(() => registry.close());

    const describeAir = () => {
      const air = registry.findLive(id)?.air;
      return [
        air?.kind,
        air && 'sessionId' in air && air.sessionId,
        air && 'silentSince' in air && air.silentSince !== undefined,
        air && 'unplayable' in air && air.unplayable,
        air && 'back' in air && air.back,
        air && 'awaiting' in air && air.awaiting,
      ].join();
    };
    let announced = describeAir();
    changes.on(() => {
      announced = describeAir();
    });

    let publisher: { sink: PublisherSink; sinceMs: number; sentMs: number; kind: keyof typeof kinds } | undefined;
    const chooseKind = () => choice.pick(['all', 'all', ...Object.keys(kinds)] as (keyof typeof kinds)[]);
    const leave = (how: 'lost' | 'unpublished') => {
      publisher?.sink.end(how === 'lost' ? { kind: 'lost', cause: { code: 'closed' } } : { kind: 'unpublished' });
      publisher = undefined;
    };
    const operations = {
      admit: () => {
        const close = () => {
          if (publisher?.sink === sink) publisher = undefined;
        };
        const answer = registry.admit(streamKey, createPublisher({ connectedAt: clock.time, close }));
        const sink = answer.kind === 'refused' ? undefined : answer.sink;
        if (sink) publisher = { sink, sinceMs: clock.time, sentMs: -1, kind: chooseKind() };
      },
      send: () => {
        if (publisher) publisher.kind = chooseKind();
      },
      lose: () => leave('lost'),
      unpublish: () => leave('unpublished'),
      stop: () => registry.endSession(id, { reason: 'terminated' }),
    };
    const names = [...Array<string>(4).fill('admit'), ...Array<string>(8).fill('send'), ...Object.keys(operations)];

    const done: string[] = [];
    let lateMs = 0;
    for (let ms = 0; ms < showMs; ms += 1) {
      clock.time += 1;
      vi.advanceTimersByTime(1);
      if (choice.integer(1, 2_000) === 1) {
        const name = choice.pick(names) as keyof typeof operations;
        operations[name]();
        done.push(`${ms} ms ${name}`);
      }
      if (publisher) {
        const { sink, sinceMs, sentMs, kind } = publisher;
        publisher.sentMs = clock.time - sinceMs;
        const loopFromMs = Math.floor(publisher.sentMs / loopMs) * loopMs;
        for (const tag of kinds[kind]) {
          const timestampMs = loopFromMs + tag.timestampMs;
          if (timestampMs > sentMs && timestampMs <= publisher?.sentMs) pushTag(sink, { ...tag, timestampMs });
        }
      }
      const now = describeAir();
      lateMs = now === announced ? 0 : lateMs + 1;
      if (lateMs > announcedWithinMs) expect.fail(`${now}, announced as ${announced}, at ${ms} ms: ${done.join(', ')}`);
    }
  },
);
