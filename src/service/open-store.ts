import { randomUUID } from 'node:crypto';
import { createEventSource } from './lib/event-source.ts';
import type { HostPorts } from './ports.ts';
import { openSealer } from './secrets/sealer.ts';
import { openApiKeyTable } from './store/api-key-table.ts';
import { openDatabase } from './store/database.ts';
import { openSessionTable } from './store/session-table.ts';
import { openSettingTable } from './store/setting-table.ts';
import { openSettingsStore } from './store/settings-store.ts';
import { findStoreProblem } from './store/store-health.ts';
import { openStreamTable } from './store/stream-table.ts';
import { openApiKeys } from './streams/api-keys.ts';
import type { LiveControl } from './streams/live-control.ts';
import { randomIds } from './streams/new-ids.ts';
import { openSessionLedger } from './streams/session-ledger.ts';
import type { StreamChange } from './streams/stream-change.ts';
import { openStreams } from './streams/streams.ts';

/**
 * Opens what outlives the process: streams, sessions, API keys and settings of a data folder.
 *
 * @param live what runs on the streams; asked only when a stream is changed, so it may be made later
 * @throws {ServiceError} UNAVAILABLE or KEYCHAIN_UNAVAILABLE
 */
export async function openStore(dataFolder: string, { secrets, clock, log }: HostPorts, live: () => LiveControl) {
  const { db, setAside } = openDatabase(dataFolder, log);
  try {
    const settingTable = openSettingTable(db);
    const changes = createEventSource<StreamChange>();
    const sealer = await openSealer(secrets, settingTable.findOrSet('dataFolderId', randomUUID));
    const ledger = openSessionLedger({ db, sessions: openSessionTable(db), changes, newIds: randomIds, log });
    const streams = openStreams({
      ...{ db, table: openStreamTable(db), settings: settingTable },
      ...{ sealer, ledger, changes, clock, log, newIds: randomIds, live },
    });
    const apiKeys = openApiKeys(openApiKeyTable(db), clock);
    const notices =
      setAside === undefined ? [] : [`The store was damaged. It was set aside as ${setAside}, and a fresh one begun.`];
    return {
      streams,
      ledger,
      changes,
      apiKeys,
      settings: openSettingsStore(settingTable, log),
      /** What the user ought to know, a sentence each; a stream key that was issued anew meanwhile joins them. */
      get notices() {
        return [...notices, ...streams.notices];
      },
      /** Why the store cannot be written, in a sentence; undefined while it can. */
      findProblem: () => findStoreProblem(settingTable),
      close() {
        ledger.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
