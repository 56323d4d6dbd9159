import { expect, onTestFinished, test, vi } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import { startStagedServer } from '../../../test/support/staged-server.ts';
import { Upload } from '../one-click/upload.ts';
import { startMediaPublisher } from '../rtmp/unit-publisher.ts';
import { RegionRoute } from './region-route.ts';

/** An upload to an ingest that takes its key, unless a test says that it doesn't. It retries without pauses. */
async function startUpload({ refusesAtFirst }: { refusesAtFirst: boolean }) {
  let refuses = refusesAtFirst;
  const server = await startStagedServer({ until: 'started', atLast: () => {}, refusesKey: () => refuses });
  const ber = { code: 'ber', ingest: `rtmp://127.0.0.1:${server.port}/live`, playback: 'https://ber/hls' };
  const route = new RegionRoute({
    choose: async () => ber,
    list: () => [ber],
    findReachable: async () => [ber],
    publish: ({ ingest }, attempt) => startMediaPublisher({ url: ingest, streamKey: 'abcd-efgh-ijkl-mnop', ...attempt }),
    mayChange: () => false,
    clock: { monotonicMs: () => performance.now() },
    retry: () => {},
    onChange: () => {},
    onEvent: () => {},
  });
  const told: string[] = [];
  const upload = new Upload({
    connect: (signal) => route.connect(signal),
    clock: { monotonicMs: () => performance.now() },
    network: { onReturn: () => () => {} },
    onState(state) {
      told.push(state.kind === 'retrying' ? state.failure.code : state.kind);
      if (state.kind === 'retrying') upload.reconnectNow();
    },
    onRefused: ({ code }) => told.push(`refused: ${code}`),
  });
  return {
    told,
    loseConnection() {
      refuses = true;
      for (const socket of server.sockets) socket.resetAndDestroy();
    },
    takeKeyAgain() {
      refuses = false;
    },
    async [Symbol.asyncDispose]() {
      route.close();
      await upload.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('an ingest that refuses the key it took before is tried again: it may hold the lost connection', async () => {
  // After 3 s an ingest has taken the stream, and a lost connection is another failure.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using stand = await startUpload({ refusesAtFirst: false });
  const { told } = stand;
  await soon(() => expect(told).toEqual(['sending']));
  stand.loseConnection();
  await soon(() => expect(told.filter((each) => each === 'key-held').length).toBeGreaterThan(2));
  stand.takeKeyAgain();
  await soon(() => expect(told.at(-1)).toBe('sending'));
  expect([...new Set(told)]).toEqual(['sending', 'closed', 'key-held']);
});

test('an ingest that refuses the key at first has decided', async () => {
  await using stand = await startUpload({ refusesAtFirst: true });
  await soon(() => expect(stand.told).toEqual(['refused: key-refused']));
});
