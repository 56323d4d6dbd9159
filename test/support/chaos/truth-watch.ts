import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../../src/shared/contract.ts';
import type { StreamLive } from '../../../src/shared/model/views.ts';
import type { LiveViewer } from './live-viewer.ts';

/** How long what is said of the air may lag behind the playlist, in milliseconds. */
const airSlackMs = 3_000;
/** The same of media, and of a busy computer. */
const slackMs = 6_000;

/** A stream whose screens are checked against what an independent viewer sees. */
export interface WatchedStream {
  name: string;
  streamId: string;
  multivariantUrl: string;
  viewer: LiveViewer;
}

/** Follows what the screens say of a stream, and once a second whether it is true. */
export function watchTruth(
  app: ContractRouterClient<typeof contract>,
  { name, streamId, multivariantUrl, viewer }: WatchedStream,
) {
  const ending = new AbortController();
  const lies: string[] = [];
  let live: StreamLive | undefined;
  let stateSince = performance.now();
  let airSince = stateSince;
  let checks = 0;

  const following = (async () => {
    const values = await app.stream.watch({ streamId }, { signal: ending.signal });
    for await (const value of values) {
      if (describe(value) !== (live && describe(live))) stateSince = performance.now();
      if (value.stream.air.kind !== live?.stream.air.kind) airSince = performance.now();
      live = value;
    }
  })().catch((error: unknown) => {
    if (!ending.signal.aborted) lies.push(`${name}: what the screens watch ended: ${error}`);
  });

  const check = async () => {
    const said = live;
    if (said === undefined || performance.now() - airSince < airSlackMs) return;
    const since = airSince;
    const status = await fetch(multivariantUrl, { signal: ending.signal }).then(
      ({ status }) => status,
      () => undefined,
    );
    // What changed meanwhile was not what was said.
    if (status === undefined || since !== airSince || live === undefined) return;
    checks += 1;
    const { air } = live.stream;
    const onAir = air.kind === 'on-air' || air.kind === 'reconnecting';
    if (onAir !== (status === 200)) lies.push(`${name}: the screens say ${describe(live)}, the playlist answers ${status}`);
    const ageMs = performance.now() - (viewer.newMediaAt ?? 0);
    const isWell = air.kind === 'on-air' && air.silentSince === undefined && live.verdict?.severity === 'good';
    const isSteady = performance.now() - stateSince > slackMs;
    if (isWell && isSteady && ageMs > slackMs) {
      lies.push(`${name}: the screens say ${describe(live)}, and the viewer has had nothing for ${Math.round(ageMs)} ms`);
    }
    if (air.kind === 'off-air' && isSteady && ageMs < slackMs / 2)
      lies.push(`${name}: the screens say off air, and the viewer gets new media`);
  };
  const timer = setInterval(() => void check().catch(() => {}), 1_000);
  return {
    lies,
    /** How often there was something to compare. */
    get checks() {
      return checks;
    },
    get live() {
      return live;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      ending.abort();
      await following;
    },
  };
}

function describe({ stream: { air }, verdict }: StreamLive): string {
  return `${air.kind}${'silentSince' in air && air.silentSince !== undefined ? ', no signal' : ''}, ${verdict?.title ?? 'nothing to judge'}`;
}
