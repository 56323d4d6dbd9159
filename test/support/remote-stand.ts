import { onTestFinished } from 'vitest';
import { MeantSilences } from '../../src/service/health/meant-silences.ts';
import { PlayReports } from '../../src/service/health/play-reports.ts';
import { createEventSource } from '../../src/service/lib/event-source.ts';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { OneClicksOptions } from '../../src/service/one-click/one-clicks.ts';
import type { Clock } from '../../src/service/ports.ts';
import { RegionMeter } from '../../src/service/regions/region-meter.ts';
import { openRemoteLedger } from '../../src/service/remote/remote-ledger.ts';
import { RemoteServices } from '../../src/service/remote/remote-services.ts';
import { RemoteStreams, type RemoteStreamsOptions } from '../../src/service/remote/remote-streams.ts';
import { openSealer } from '../../src/service/secrets/master-key.ts';
import { openMemorySecretStore } from '../../src/service/secrets/memory-secret-store.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { openRemoteServiceTable } from '../../src/service/store/remote-service-table.ts';
import { openStoreWriter } from '../../src/service/store/store-writer.ts';
import type { StreamChange } from '../../src/service/streams/stream-change.ts';
import type { IngestPair } from '../../src/shared/model/ingest-pair.ts';
import { testSource } from '../../src/shared/model/source.ts';
import { noCheckpoints } from './no-checkpoints.ts';
import { type Answer, type AskedRequest, oddPair, startOddService } from './odd-service.ts';
import { setUpOneClicks } from './one-click-stand.ts';
import { createTestLog, makeTestFolder } from './store-stand.ts';

/** The API key of the stand's services. */
export const apiKey = 'tl_0123456789';

/** A remote service that ends with the test. */
export async function serve(answer: Answer, tls?: { cert: string; key: string }) {
  const service = await startOddService(answer, tls);
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

/** Remote services over a real store in `folder`, with requests that give up after `timeoutMs`. */
export async function openRemotes({ timeoutMs = 20_000, isInUse = (): boolean => false, clock = createSystemClock() } = {}) {
  const folder = makeTestFolder();
  const { log } = createTestLog();
  const { db, check } = openDatabase(folder.path, log);
  // No test cuts the power.
  const writer = openStoreWriter({ db, log, sync: async () => {}, checkpoints: noCheckpoints, check, probe: () => {} });
  const ending = new AbortController();
  onTestFinished(async () => {
    ending.abort();
    await writer.close();
    db.close();
    folder[Symbol.dispose]();
  });
  const table = openRemoteServiceTable(db);
  const secrets = openMemorySecretStore();
  const open = async (store = secrets) => {
    const ledger = openRemoteLedger(table, writer, (await openSealer(store, 'folder')).sealer);
    const options = { clock, newId: () => 'service1', signal: ending.signal, isInUse, timeoutMs };
    return new RemoteServices({ ledger, ...options });
  };
  return { services: await open(), reopen: open, table, writer, folder: folder.path };
}

/** A stream in the answers of the stand's service. */
export const remoteShow = {
  id: 'show',
  name: 'Show',
  createdAt: 1_000,
  isActive: false,
  lastSeen: 0,
  playbackId: 'play',
  streamKey: 'abcd-efgh-ijkl-mnop',
};

/** Answers every request as a service with this one stream does; its regions are `pairs`. */
export function answerShow(pairs: readonly IngestPair[] = [oddPair], stream: object = remoteShow): Answer {
  return ({ method, path }) => {
    if (path === '/api/ingest') return { json: pairs.slice(0, 1) };
    if (path === '/api/ingest?first=false') return { json: pairs };
    if (method === 'DELETE' || method === 'PATCH') return { status: 204 };
    if (path.includes('/sessions') || path.includes('sessionsonly')) return { json: [] };
    return { json: path.startsWith('/api/stream?') ? [stream] : stream };
  };
}

/** The stand's stream, as the contract names it. */
export const showRef = 'service1~show';

/**
 * The streams of a remote service with these answers, for a one click whose changes come from `changes`. Requests give up after
 * `timeoutMs`.
 */
export async function openStreamsFor(
  answer: Answer,
  {
    oneClicks,
    changes,
    choices = { find: () => undefined, save: () => {} },
    clock = createSystemClock(),
    timeoutMs,
    publish = () => Promise.reject(new Error('nothing should be sent')),
  }: Pick<RemoteStreamsOptions, 'oneClicks' | 'changes'> &
    Partial<Pick<RemoteStreamsOptions, 'choices' | 'clock' | 'publish'>> & { timeoutMs?: number },
) {
  const service = await serve(answer);
  const { services } = await openRemotes({ clock, ...(timeoutMs !== undefined && { timeoutMs }) });
  await services.add({ name: 'Team', baseUrl: service.baseUrl, apiKey });
  const meter = new RegionMeter({ clock });
  const streams = new RemoteStreams({
    serviceId: 'service1',
    remotes: services,
    oneClicks,
    playReports: new PlayReports({ clock, onChange: () => {} }),
    silences: new MeantSilences(),
    changes,
    choices,
    sleepWatch: { findRecent: () => undefined },
    meter,
    mayChangeRegion: () => false,
    publish,
    clock,
  });
  onTestFinished(async () => {
    await streams.close();
    await meter.close();
  });
  service.asked.length = 0;
  return { service, services, streams, meter };
}

/**
 * The streams of a remote service with these answers, and one click to them. Its ffmpeg doesn't exist, so it ends where it would
 * start to encode; `plans` counts how often it got there. The monotonic clock only moves with `advance`; timers run.
 */
export async function openRemoteStreams(
  answer: Answer,
  {
    oneClick = {},
    ...options
  }: { oneClick?: Partial<OneClicksOptions> } & Partial<Pick<RemoteStreamsOptions, 'choices' | 'publish'>> = {},
) {
  let atMs = 0;
  const clock: Clock = { ...createSystemClock(), monotonicMs: () => atMs };
  const changes = createEventSource<StreamChange>();
  const { oneClicks, plans } = setUpOneClicks({
    prepare: (_, signal) => stand.streams.prepareGoLive('show', signal),
    connect: (_, signal) => stand.streams.connect('show', signal),
    onChange: (streamId) => changes.emit({ kind: 'changed', streamId }),
    ...oneClick,
  });
  const stand = await openStreamsFor(answer, { oneClicks, changes, clock, ...options });
  onTestFinished(() => oneClicks.close());
  const goLive = () => oneClicks.goLive(showRef, { source: testSource, encode: { kind: 'preset', name: '720p30' } });
  const advance = (ms: number) => {
    atMs += ms;
  };
  return { ...stand, oneClicks, goLive, plans, advance };
}

/** The requests to a service, like `GET /api/ingest`. */
export function listAsked({ asked }: { asked: readonly AskedRequest[] }): string[] {
  return asked.map(({ method, path }) => `${method} ${path}`);
}
