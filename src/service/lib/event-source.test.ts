import { expect, test } from 'vitest';
import { createEventSource } from './event-source.ts';
import { type Fault, onFault } from './faults.ts';

test('a throwing listener is reported, and affects neither the others nor the emitter', async () => {
  const faults: Fault[] = [];
  using _ = { [Symbol.dispose]: onFault((fault) => faults.push(fault)) };
  const source = createEventSource<number>();
  const heard: number[] = [];
  source.on(() => {
    throw new Error('the first listener is broken');
  });
  source.on((async () => {
    throw new Error('so is the second, a moment later');
  }) as () => void);
  source.on((value) => heard.push(value));
  source.emit(1);
  source.emit(2);
  await new Promise(setImmediate);
  expect(heard).toEqual([1, 2]);
  expect(faults.map(({ error, during }) => `${during}: ${(error as Error).message}`)).toEqual([
    'a listener: the first listener is broken',
    'a listener: the first listener is broken',
    'a listener: so is the second, a moment later',
    'a listener: so is the second, a moment later',
  ]);
});
