import { formatSecretsLocation } from '../shared/format-secrets-location.ts';
import type { ServiceNotice } from '../shared/model/service-notice.ts';
import type { ServiceConfig } from './config.ts';
import { createEventSource, joinUndos } from './lib/event-source.ts';
import { CostRecord } from './one-click/encode-costs.ts';
import { SpeedRecord } from './one-click/upload-speeds.ts';
import { masterKeyLocationSetting, openMasterKey } from './open-master-key.ts';
import type { HostPorts, SecretStore, SecretsLocation } from './ports.ts';
import { listSealedApiKeys, openRemoteLedger, resealApiKeys } from './remote/remote-ledger.ts';
import { openApiKeyTable } from './store/api-key-table.ts';
import { createCheckpoints } from './store/checkpoints.ts';
import { openChoiceTable } from './store/choice-table.ts';
import { openDatabaseSoon } from './store/database.ts';
import { openWriteAheadLog } from './store/disk-sync.ts';
import { openHoldTable } from './store/hold-table.ts';
import { openKeptRecord } from './store/kept-record.ts';
import { openRemoteServiceTable } from './store/remote-service-table.ts';
import { openSessionTable } from './store/session-table.ts';
import { openSettingTable } from './store/setting-table.ts';
import { openSettingsStore } from './store/settings-store.ts';
import { findStoreFault } from './store/store-fault.ts';
import { createStoreHealth, createStoreProbe } from './store/store-health.ts';
import { openStoreWriter } from './store/store-writer.ts';
import { openStreamTable } from './store/stream-table.ts';
import { openApiKeys } from './streams/api-keys.ts';
import { openChoiceLedger } from './streams/choice-ledger.ts';
import { openHoldLedger } from './streams/hold-ledger.ts';
import type { LiveControl } from './streams/live-control.ts';
import { randomIds } from './streams/new-ids.ts';
import { openSessionLedger } from './streams/session-ledger.ts';
import type { StreamChange } from './streams/stream-change.ts';
import { keyCheckSetting, listSealedKeys, resealStreamKeys } from './streams/stream-keys.ts';
import { openStreams } from './streams/streams.ts';

/**
 * Opens everything that outlives the process: streams, sessions, API keys and settings of a data folder.
 *
 * @param live controls what runs on the streams; called only when a stream changes, so it may be created later
 * @param openSecrets opens the store that the master key was in before, to move to `secrets`; for tests
 * @throws {ServiceError} UNAVAILABLE, KEYCHAIN_UNAVAILABLE or MASTER_KEY_MISSING; INVALID_INPUT if given settings disagree
 */
export async function openStore(
  { dataFolder, givenSettings, newKey = false }: Pick<ServiceConfig, 'dataFolder' | 'givenSettings' | 'newKey'>,
  { secrets, clock, log }: HostPorts,
  live: () => LiveControl,
  openSecrets?: (location: SecretsLocation) => SecretStore,
) {
  const { db, file, setAside, check } = await openDatabaseSoon(dataFolder, log);
  const opened = new AsyncDisposableStack();
  const checkpoints = createCheckpoints(file, log);
  opened.defer(() => checkpoints.close());
  opened.defer(() => db.close());
  try {
    const wal = await openWriteAheadLog(file);
    opened.defer(() => wal.close());
    const settingTable = openSettingTable(db);
    const probe = createStoreProbe(settingTable);
    const writer = openStoreWriter({ db, sync: wal.sync, checkpoints, check, probe, log });
    opened.defer(() => writer.close());
    const changes = createEventSource<StreamChange>();
    const from = settingTable.find(masterKeyLocationSetting);
    const table = openStreamTable(db);
    const remoteTable = openRemoteServiceTable(db);
    const { sealer, earlier } = await openMasterKey({
      secrets,
      openSecrets,
      settings: settingTable,
      listSealed: () => [...listSealedKeys(table), ...listSealedApiKeys(remoteTable)],
      writer,
      newKey,
    });
    const location = formatSecretsLocation(secrets);
    if (earlier !== undefined) {
      await writer.write(() => {
        resealStreamKeys(table, earlier, sealer);
        resealApiKeys(remoteTable, earlier, sealer);
        settingTable.setAll({ [keyCheckSetting]: sealer.keyCheck, [masterKeyLocationSetting]: location });
      });
      log.info({ from, to: location }, 'The secrets were encrypted again with the key of another store.');
    }
    const ledger = openSessionLedger({
      sessions: openSessionTable(db),
      streams: table,
      writer,
      changes,
      clock,
      newIds: randomIds,
      log,
    });
    opened.defer(() => ledger.close());
    const streams = await openStreams({
      table,
      writer,
      settings: settingTable,
      sealer,
      ledger,
      changes,
      clock,
      log,
      newIds: randomIds,
      live,
    });
    if (settingTable.find(masterKeyLocationSetting) !== location) {
      await writer.write(() => settingTable.set(masterKeyLocationSetting, location));
    }
    const holds = openHoldLedger(openHoldTable(db), writer);
    const choices = openChoiceLedger(openChoiceTable(db), writer, log);
    const apiKeys = openApiKeys(openApiKeyTable(db), writer, clock);
    const replaced = setAside.map((path) => ({ code: 'store-replaced', setAside: path }) as const);
    return {
      streams,
      ledger,
      holds,
      choices,
      changes,
      apiKeys,
      remotes: openRemoteLedger(remoteTable, writer, sealer),
      /** The measured costs of encoding here, and the measured uploads to ingests. */
      measured: {
        costs: openKeptRecord({ name: 'encodeCosts', schema: CostRecord, initial: { costs: {} } }, settingTable, writer),
        speeds: openKeptRecord({ name: 'uploadSpeeds', schema: SpeedRecord, initial: {} }, settingTable, writer),
      },
      settings: openSettingsStore(settingTable, writer, log, { given: givenSettings }),
      /** Notices for the user: why the store cannot be written, and which stream keys were replaced. */
      get notices(): ServiceNotice[] {
        const { problem } = writer;
        return [...(problem === undefined ? [] : [{ code: 'store-fault', problem } as const]), ...replaced, ...streams.notices];
      },
      onNotice(listener: () => void): () => void {
        return joinUndos(writer.onProblem(listener), streams.onNotice(listener));
      },
      /** Tests whether the store can be written; if not, returns why, without its path. */
      findProblem: createStoreHealth(writer, probe),
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw findStoreFault(error) ?? error;
  }
}

/** Everything that outlives the process. */
export type Store = Awaited<ReturnType<typeof openStore>>;
