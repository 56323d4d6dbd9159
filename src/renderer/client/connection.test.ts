import { expect, test } from 'vitest';
import { type ConnectionCore, type ConnectionState, createConnectionCore } from './connection.ts';
import { readFailure } from './failure.ts';

function start() {
  let closed = 0;
  const core = createConnectionCore({ now: () => 5, onClose: () => (closed += 1) });
  const states: ConnectionState[] = [];
  core.onChange(() => states.push(core.state()));
  return { core, states, closed: () => closed };
}

test('calls use the newest link, and fail with a sentence without one', async () => {
  const { core } = start();
  core.lost();
  const failure = await core.client.region.measure().then(undefined, readFailure);
  expect(failure).toMatchObject({ code: 'UNKNOWN', sentence: "Can't reach the service. Try again when it's back." });
  core.opened({ call: async (path) => `first ${path.join('.')}` });
  core.opened({ call: async (path) => `second ${path.join('.')}` });
  expect(await core.client.region.measure()).toBe('second region.measure');
});

test.each<[string, (core: ConnectionCore) => void, string]>([
  ['is sent once it opens', (core) => core.opened({ call: async (path) => path.join('.') }), 'region.measure'],
  ["fails if it can't be opened", (core) => core.lost(), 'UNKNOWN'],
  ['fails if it is refused', (core) => core.refused(), 'UNKNOWN'],
  ['fails if it is closed', (core) => core.close(), 'UNKNOWN'],
])('a call that is made while the page connects for the first time %s', async (_, happen, outcome) => {
  const { core } = start();
  const call = core.client.region.measure().catch((error) => readFailure(error).code);
  happen(core);
  expect(await call).toBe(outcome);
});

test.each(['lost', 'refused', 'close'] as const)('a call fails at once after the connection was open (%s)', async (end) => {
  const { core } = start();
  core.opened({ call: () => new Promise(() => {}) });
  core[end]();
  await expect(core.client.region.measure()).rejects.toThrow('There is no connection to the service.');
});

test('each loss is reported once, and each reopening counts up', () => {
  const { core, states } = start();
  const link = { call: async () => undefined };
  core.opened(link);
  core.lost();
  core.lost();
  core.opened(link);
  expect(states).toEqual([
    { kind: 'open', generation: 1 },
    { kind: 'lost', sinceMs: 5 },
    { kind: 'open', generation: 2 },
  ]);
});

test('a refused page stays refused until an attempt succeeds', () => {
  const { core, states } = start();
  core.lost();
  core.refused();
  core.lost();
  core.refused();
  core.opened({ call: async () => undefined });
  expect(states).toEqual([
    { kind: 'lost', sinceMs: 5 },
    { kind: 'refused', sinceMs: 5 },
    { kind: 'open', generation: 1 },
  ]);
});

test('closing twice closes once, and nothing is reported afterwards', () => {
  const { core, states, closed } = start();
  core.close();
  core.close();
  core.lost();
  expect([closed(), states]).toEqual([1, []]);
});
