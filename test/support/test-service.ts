import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContractRouterClient } from '@orpc/contract';
import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { type GivenSettings, type IngestBounds, noGivenSettings } from '../../src/service/config.ts';
import { createSystemClock } from '../../src/service/lib/system-clock.ts';
import type { HostPorts, SecretStore } from '../../src/service/ports.ts';
import { startRtmpPublisher } from '../../src/service/rtmp/rtmp-client.ts';
import { openMemorySecretStore } from '../../src/service/secrets/memory-secret-store.ts';
import { startService } from '../../src/service/service.ts';
import type { StartOptions } from '../../src/service/start-options.ts';
import type { TlsPaths } from '../../src/service/tls/tls-pair.ts';
import type { contract } from '../../src/shared/contract.ts';
import { copyProbes } from './probed-ffmpeg.ts';
import { patientBounds } from './transcode-stand.ts';
import { waitUntil } from './wait-until.ts';

/** The settings that name these files, as if given by options. */
function giveTls(tls: TlsPaths | undefined): GivenSettings {
  if (tls === undefined) return noGivenSettings;
  return {
    values: { tlsCertificatePath: tls.certificatePath, tlsKeyPath: tls.keyPath },
    sources: {
      tlsCertificatePath: { kind: 'option', name: '--tls-cert' },
      tlsKeyPath: { kind: 'option', name: '--tls-key' },
    },
  };
}

export interface TestServiceOptions {
  dataFolder?: string;
  host?: string;
  /** By default any free ones. */
  ports?: { http: number; rtmp: number };
  ingestBounds?: IngestBounds;
  tls?: TlsPaths;
  /** How often the files of `tls` are read again. */
  tlsCheckMs?: number;
  openPublication?: StartOptions['openPublication'];
  /** How long a region that was lost may take to come back. */
  regionPatienceMs?: number;
  /** The addresses of this computer; by default its own. */
  readAddresses?: StartOptions['readAddresses'];
  secrets?: SecretStore;
  /** Whether to wait until this computer's encoders have been probed. */
  awaitEncoders?: boolean;
}

/** A complete service on free ports with its own data folder, and the clients that tests call it with. */
export async function startTestService({
  dataFolder,
  host = '127.0.0.1',
  ports: { http: httpPort, rtmp: rtmpPort } = { http: 0, rtmp: 0 },
  ingestBounds,
  tls,
  tlsCheckMs,
  openPublication,
  regionPatienceMs,
  readAddresses,
  secrets = openMemorySecretStore(),
  awaitEncoders = true,
}: TestServiceOptions = {}) {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'tallylight-service-')));
  if (dataFolder === undefined) await copyProbes(folder);
  const logLines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => logLines.push(line) });
  const ports: HostPorts = { secrets, clock: createSystemClock(), log };
  const service = await startService(
    { dataFolder: folder, host, httpPort, rtmpPort, version: '0.0.0-test', givenSettings: giveTls(tls) },
    ports,
    {
      ladderBounds: patientBounds,
      ...(regionPatienceMs !== undefined && { regionPatienceMs }),
      ...(readAddresses && { readAddresses }),
      ...(ingestBounds && { ingestBounds }),
      ...(tlsCheckMs !== undefined && { tlsCheckMs }),
      ...(openPublication && { openPublication }),
    },
  );
  const app: ContractRouterClient<typeof contract> = createRouterClient(service.router, {});
  // Wait for the probes, whose ffmpegs would be mistaken for a broadcast's.
  if (awaitEncoders) await waitUntil(await app.service.watch(), ({ encoders }) => encoders !== undefined);
  const { secret } = await app.apiKey.create({ name: 'test' });
  const urls = service.info();

  /** Calls the public interface; the body is parsed JSON, or undefined when there is none. */
  async function api(method: string, path: string, body?: unknown) {
    const response = await fetch(`${urls.apiBaseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Connects with a stream's key and publishes nothing, as a second publisher would. */
  async function publish(streamId: string) {
    const { streamKey } = await app.stream.revealKey({ streamId });
    return startRtmpPublisher({
      url: `rtmp://127.0.0.1:${urls.rtmpPort}/live`,
      streamKey,
      signal: new AbortController().signal,
    });
  }

  const close = async () => {
    await service.close();
    // A program that was just ended may still write a file there.
    if (dataFolder === undefined) await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  };
  return { publish, service, app, api, urls, logLines, folder, secret, close, [Symbol.asyncDispose]: close };
}
