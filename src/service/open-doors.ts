import type { AddressInfo } from 'node:net';
import { defaultHttpBounds, defaultIngestBounds, fitToDescriptors } from './config.ts';
import type { ContractRouter } from './handlers/router.ts';
import { playbackRoutes } from './hls/hls-routes.ts';
import { type ApiParts, addApiRoutes } from './http/api-routes.ts';
import { addHealthRoute } from './http/health-route.ts';
import { createHttpServer, listenOn } from './http/http-server.ts';
import { createFailedKeyLimit } from './ingest/failed-key-limit.ts';
import { startRtmpServer } from './ingest/rtmp-server.ts';
import { findDescriptorLimit } from './lib/descriptor-limit.ts';
import { runHarmlessly } from './lib/faults.ts';
import { startOnPort } from './lib/start-on-port.ts';
import type { Store } from './open-store.ts';
import type { PageMedia } from './page-capture/page-media.ts';
import type { Clock, Logger } from './ports.ts';
import type { ServicePorts } from './service-ports.ts';
import type { SessionRegistry } from './session/session-registry.ts';
import type { StartOptions } from './start-options.ts';
import type { TlsFiles } from './tls/tls-files.ts';

export interface OpenDoorsOptions extends ApiParts, Pick<StartOptions, 'extendHttp' | 'ingestBounds'> {
  host: string;
  /** Chooses the ports to listen on, and keeps the bound ones. */
  ports: ServicePorts;
  tls: TlsFiles | undefined;
  store: Pick<Store, 'findProblem'>;
  registry: SessionRegistry;
  /** Ends every broadcast; publishers hear the reason. */
  endBroadcasts: () => Promise<void>;
  pageMedia: PageMedia;
  router: ContractRouter;
  clock: Clock;
  log: Logger;
}

/** Listens for publishers, and then for viewers, programs and pages; `opened` closes both. */
export async function openDoors(options: OpenDoorsOptions, opened: AsyncDisposableStack): Promise<void> {
  const { host, ports, tls, store, registry, endBroadcasts, pageMedia, router, extendHttp, clock, log } = options;
  const { ingestBounds = defaultIngestBounds } = options;
  const bounds = fitToDescriptors({ ingest: ingestBounds, http: defaultHttpBounds }, findDescriptorLimit());

  // One for all ingest doors, since guesses are counted per address.
  const { maxFailedKeys, failedKeysWindowMs: windowMs } = bounds.ingest;
  const failedKeys = createFailedKeyLimit({ maxFailedKeys, windowMs, clock });
  const rtmp = await startOnPort(ports.choose('RTMP'), (port) =>
    startRtmpServer({ host, port, bounds: bounds.ingest, gate: registry, failedKeys, tls, log, clock }),
  );
  ports.noteBound('RTMP', rtmp.port);
  opened.defer(() => rtmp.close());
  // Publishers hear the reason before their sockets are closed.
  opened.defer(async () => {
    const ended = endBroadcasts();
    // In parallel: connections that don't read take a second, and hanging ffmpegs leave no time for that.
    runHarmlessly(() => rtmp.close(), 'closing the RTMP ingest');
    await ended;
  });

  const http = createHttpServer({ log, bounds: bounds.http, tls });
  opened.defer(() => http.close());
  opened.defer(pageMedia.serve(http.server));
  addApiRoutes(http, options);
  addHealthRoute(http, { store, doors: [rtmp, http] });
  await http.register(playbackRoutes(registry), { prefix: '/hls' });
  await extendHttp?.(http, { router });
  await startOnPort(ports.choose('HTTP'), (port) => listenOn(http, { host, port }));
  ports.noteBound('HTTP', (http.server.address() as AddressInfo).port);
}
