import { expect, test } from 'vitest';
import { createFakePublisher } from '../../../test/support/fake-publisher.ts';
import type { IngestFailure } from '../../shared/model/ingest-failure.ts';
import type { PublicationEnd } from '../publishing/media-publisher.ts';
import { PublishError } from '../publishing/publish-error.ts';
import { Upload } from './upload.ts';

const failure: IngestFailure = { code: 'closed', during: 'sending' };
const unreachable = new PublishError('unreachable', failure);

/** How one attempt ends: it cannot connect, or its connection lasts for so long. */
type Attempt = Error | { lastsMs: number; end: PublicationEnd };

/** How long an attempt takes that fails: longer than a connection that counts as steady. */
const attemptMs = 10_001;

/** Runs an upload whose attempts end like this, each retried at once, until it is refused. */
async function run(...attempts: Attempt[]) {
  let now = 0;
  const retries: [attempt: number, afterMs: number][] = [];
  const refused = Promise.withResolvers<IngestFailure>();
  let connections = 0;
  const upload = new Upload({
    async connect() {
      const attempt = attempts[connections];
      connections += 1;
      if (attempt === undefined) throw new PublishError('refused', failure);
      if (attempt instanceof Error) {
        now += attemptMs;
        throw attempt;
      }
      const { lastsMs, end } = attempt;
      return createFakePublisher(
        async () => {
          now += lastsMs;
          return end;
        },
        { droppedFrames: 1 },
      );
    },
    network: { onReturn: () => () => {} },
    clock: { monotonicMs: () => now },
    onState: (state) => {
      if (state.kind !== 'retrying') return;
      retries.push([state.attempt, state.retryAtMs - now]);
      upload.reconnectNow();
    },
    onRefused: refused.resolve,
  });
  const why = await refused.promise;
  await upload.close();
  return { retries, connections, why, droppedFrames: upload.droppedFrames };
}

test('the first retry comes at once, and later ones after growing pauses that the user may cut short', async () => {
  const { retries } = await run(unreachable, unreachable, unreachable);
  // However long each attempt took.
  expect(retries).toEqual([
    [1, 0],
    [2, 1_000],
    [3, 1_500],
  ]);
});

test('the loss of a connection that lasted is a new problem', async () => {
  const lost: PublicationEnd = { kind: 'lost', failure };
  const { retries, droppedFrames } = await run(unreachable, { lastsMs: 10_000, end: lost }, { lastsMs: 10_001, end: lost });
  expect(retries).toEqual([
    [1, 0],
    [2, 1_000],
    [1, 0],
  ]);
  expect(droppedFrames).toBe(2);
});

test.each<[string, Attempt]>([
  ['as it connects', new PublishError('refused', failure)],
  ['in mid-broadcast', { lastsMs: 20_000, end: { kind: 'refused', failure } }],
])('a refusal %s ends the attempts', async (_, attempt) => {
  expect(await run(attempt, unreachable)).toMatchObject({ retries: [], connections: 1, why: failure });
});

test('an error of another kind is retried too', async () => {
  const { retries } = await run(new Error('No route.'));
  expect(retries).toEqual([[1, 0]]);
});
