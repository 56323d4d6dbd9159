import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { databaseFileName } from '../../src/service/lib/data-folder.ts';
import { createEventSource } from '../../src/service/lib/event-source.ts';
import type { LogLevel } from '../../src/service/lib/log.ts';
import type { Clock, Logger, SecretStore } from '../../src/service/ports.ts';
import { openSealer } from '../../src/service/secrets/master-key.ts';
import { openMemorySecretStore } from '../../src/service/secrets/memory-secret-store.ts';
import { openApiKeyTable } from '../../src/service/store/api-key-table.ts';
import { openDatabase } from '../../src/service/store/database.ts';
import { openWriteAheadLog } from '../../src/service/store/disk-sync.ts';
import { openSessionTable } from '../../src/service/store/session-table.ts';
import { openSettingTable } from '../../src/service/store/setting-table.ts';
import { createStoreProbe } from '../../src/service/store/store-health.ts';
import { openStoreWriter, type StoreWriter } from '../../src/service/store/store-writer.ts';
import { openStreamTable } from '../../src/service/store/stream-table.ts';
import { type ApiKeys, openApiKeys } from '../../src/service/streams/api-keys.ts';
import type { LiveControl } from '../../src/service/streams/live-control.ts';
import { type NewIds, randomIds } from '../../src/service/streams/new-ids.ts';
import { openSessionLedger, type SessionLedger } from '../../src/service/streams/session-ledger.ts';
import type { StreamChange, StreamNews } from '../../src/service/streams/stream-change.ts';
import { openStreams, type Streams } from '../../src/service/streams/streams.ts';
import { noCheckpoints } from './no-checkpoints.ts';

/** A log that keeps its lines for tests. */
export function createTestLog(level: LogLevel = 'info'): {
  log: Logger;
  lines: { level: number; msg: string; [key: string]: unknown }[];
} {
  const lines: { level: number; msg: string }[] = [];
  return { log: pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) }), lines };
}

/** A folder in the system's temporary one, removed when it is disposed. */
export function makeTestFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'tallylight-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The store side of the service over a real data folder, with a manual clock. */
export interface StoreStand {
  readonly db: DatabaseSync;
  readonly writer: StoreWriter;
  readonly streams: Streams;
  readonly ledger: SessionLedger;
  readonly apiKeys: ApiKeys;
  /** `time` is monotonic; `setMs` is how far the wall clock has been set since. */
  readonly clock: Clock & { time: number; setMs: number };
  readonly lines: { level: number; msg: string }[];
  /** Every change reported since the stand was opened. */
  readonly changes: StreamChange[];
  readonly onChange: StreamNews['on'];
  /** The broadcasts that were asked to end, and the running ones. */
  readonly live: { ended: { streamId: string; reason: string }[]; running: Set<string>; sentAway: string[] };
  close(): void;
  [Symbol.dispose](): void;
}

let newStore: Buffer | undefined;

/** A folder with a new store. To create one, SQLite waits for the disk several times; the others are copies of the first. */
function makeStoreFolder(): ReturnType<typeof makeTestFolder> {
  const folder = makeTestFolder();
  const path = join(folder.path, databaseFileName);
  if (newStore === undefined) {
    openDatabase(folder.path, createTestLog().log).db.close();
    newStore = readFileSync(path);
  } else {
    writeFileSync(path, newStore);
  }
  return folder;
}

/** Opens a stand; without `folder`, over a folder that is removed with it. */
export async function openStoreStand({
  folder,
  secrets = openMemorySecretStore(),
  newIds = randomIds,
  time = 1_700_000_000_000,
}: {
  folder?: string;
  secrets?: SecretStore;
  newIds?: NewIds;
  time?: number;
} = {}): Promise<StoreStand> {
  const own = folder === undefined ? makeStoreFolder() : undefined;
  const { log, lines } = createTestLog();
  const { db, file, check } = openDatabase(folder ?? own?.path ?? '', log);
  // No test cuts the power.
  db.exec('PRAGMA synchronous = OFF');
  const wal = await openWriteAheadLog(file);
  const settings = openSettingTable(db);
  const source = createEventSource<StreamChange>();
  const clock = {
    time,
    setMs: 0,
    now() {
      return this.time + this.setMs;
    },
    monotonicMs() {
      return this.time;
    },
  };
  const live: StoreStand['live'] & LiveControl = {
    ended: [],
    running: new Set(),
    sentAway: [],
    sendPublisherAway: (streamId) => live.sentAway.push(streamId),
    isLive: (streamId) => live.running.has(streamId),
    endSession(streamId, end) {
      live.running.delete(streamId);
      live.ended.push({ streamId, ...end });
    },
  };
  const writer = openStoreWriter({
    db,
    sync: wal.sync,
    checkpoints: noCheckpoints,
    check,
    probe: createStoreProbe(settings),
    log,
  });
  const table = openStreamTable(db);
  const { sealer } = await openSealer(secrets, settings.findOrSet('dataFolderId', newIds.id));
  const ledger = openSessionLedger({
    sessions: openSessionTable(db),
    streams: table,
    writer,
    changes: source,
    clock,
    newIds,
    log,
  });
  const streams = await openStreams({
    table,
    writer,
    settings,
    sealer,
    ledger,
    changes: source,
    clock,
    log,
    newIds,
    live: () => live,
  });
  const changes: StreamChange[] = [];
  source.on((change) => changes.push(change));
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    ledger.close();
    // Pending writes finish before it closes, unless the store refuses them.
    void writer.close().then(wal.close);
    db.close();
    own?.[Symbol.dispose]();
  };
  return {
    db,
    writer,
    streams,
    ledger,
    apiKeys: openApiKeys(openApiKeyTable(db), writer, clock),
    clock,
    lines,
    changes,
    onChange: source.on,
    live,
    close,
    [Symbol.dispose]: close,
  };
}
