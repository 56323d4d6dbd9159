import { expect, onTestFinished, test } from 'vitest';
import { soon } from '../../test/support/soon.ts';
import type { StreamsEvent, StreamView } from '../shared/model/views.ts';
import { watchOnAir } from './on-air.ts';

const all = (...onAir: string[]): StreamsEvent => ({
  kind: 'all',
  streams: [...onAir, 'quiet'].map(
    (name) => ({ id: name, name, air: { kind: name === 'quiet' ? 'off-air' : 'on-air' } }) as unknown as StreamView,
  ),
});

/** A service whose list of streams the test provides, attempt by attempt. */
function setUp(tries: (() => AsyncIterable<StreamsEvent>)[]) {
  const told: unknown[] = [];
  let asked = 0;
  const watch = watchOnAir(
    async (signal) => {
      asked += 1;
      const next = tries.shift();
      if (next) return next();
      return {
        async *[Symbol.asyncIterator]() {
          yield all('Sunday show');
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
      };
    },
    { onChange: (names) => told.push(names), onFailure: (error) => told.push(String(error)), pauseMs: 5 },
  );
  onTestFinished(() => watch.close());
  return { watch, told, asked: () => asked };
}

const failing = (...before: StreamsEvent[]) =>
  async function* () {
    yield* before;
    throw new Error('The disk failed to read.');
  };

test('while the service cannot tell what is on air, it is asked again, and the failure is reported once', async () => {
  const { watch, told } = setUp([failing(all()), failing(), failing(), failing()]);
  expect(watch.names()).toEqual([]);
  await soon(() => expect(told).toHaveLength(2));
  expect(watch.names()).toBeUndefined();
  await soon(() => expect(watch.names()).toEqual(['Sunday show']));
  expect(told).toEqual([[], 'Error: The disk failed to read.', ['Sunday show']]);
});

test('a list that ends is requested again, but not after closing', async () => {
  const ended = async function* () {
    yield all('Sunday show');
  };
  const { watch, asked } = setUp([ended]);
  await soon(() => expect(asked()).toBe(2));
  watch.close();
  const before = asked();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(asked()).toBe(before);
});
