import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../../src/shared/contract.ts';
import type { AirState } from '../../../src/shared/model/live.ts';
import type { StreamLive } from '../../../src/shared/model/views.ts';
import type { LiveViewer } from '../live-viewer.ts';
import type { LagMeter } from './lag-meter.ts';

/** Screens get a change at most once in this time (`watchValue`); changes in between wait as long again. */
const pushMs = 200;
/** How often the screens are looked at while they wait for a change. */
const lookMs = 20;
/** Media older than this is no signal (`lastSeenBadMs`), reported at that moment. */
const silenceMs = 3_000;
/** Longest media at the packager that wait for their part to be full, when no more arrive. */
const partMs = 200;
/** Longest time from the ingest to a waiting viewer: a 200 ms part, packaged and fetched. */
const deliveryMs = 400;
/** Longest time from the last complete tag on a cut wire to its last byte: one frame at 30 fps, with room for a starved encoder. */
const tagMs = 500;

/** A stream whose screens are compared with an independent viewer and the publisher's wire. */
export interface WatchedStream {
  name: string;
  streamId: string;
  multivariantUrl: string;
  viewer: LiveViewer;
  /** When its publisher's media last crossed the wire, in epoch milliseconds; absent for our own wire. */
  wire?: { readonly mediaAt: number | undefined };
}

/** Follows a stream on the screens, and compares them once a second with independent observations. */
export function watchTruth(app: ContractRouterClient<typeof contract>, stream: WatchedStream, lag: LagMeter) {
  const { name, streamId, multivariantUrl, viewer, wire } = stream;
  const ending = new AbortController();
  const { signal } = ending;
  const lies: string[] = [];
  let said: StreamLive | undefined;
  /** Since when the screens have shown the same air state. */
  let saidSince = 0;
  let checks = 0;

  const following = (async () => {
    for await (const value of await app.stream.watch({ streamId }, { signal })) {
      if (said === undefined || describeAir(said.stream.air) !== describeAir(value.stream.air)) saidSince = performance.now();
      said = value;
    }
  })().catch((error: unknown) => {
    if (!signal.aborted) lies.push(`${name}: what the screens watch ended: ${error}`);
  });

  /** The state that the service would send to a screen that opens now. */
  const ask = async (): Promise<StreamLive> => {
    const left = new AbortController();
    const values = await app.stream.watch({ streamId }, { signal: AbortSignal.any([signal, left.signal]) });
    for await (const value of values) {
      left.abort();
      return value;
    }
    throw new Error('The service sent no state for the stream.');
  };
  const accuse = (live: StreamLive, what: string) => lies.push(`${name}: the screens say ${describe(live)}; ${what}`);

  /** The playlist exists exactly while the screens say viewers can play. */
  const checkPlaylist = async () => {
    const before = await ask();
    const { status } = await fetch(multivariantUrl, { signal });
    const after = await ask();
    if (describeAir(before.stream.air) !== describeAir(after.stream.air)) return;
    checks += 1;
    const { kind } = before.stream.air;
    if ((kind === 'on-air' || kind === 'reconnecting') !== (status === 200)) accuse(before, `the playlist answers ${status}`);
  };

  /** Open screens and newly opened ones are sent the same state. */
  const checkPushed = async () => {
    const fresh = describeAir((await ask()).stream.air);
    const askedAt = performance.now();
    const isTold = () => said !== undefined && describeAir(said.stream.air) === fresh;
    // Counts pauses instead of time: whatever holds this process up also delays the service's timers.
    for (let waitedMs = 0; !isTold() && waitedMs < pushMs + lag.lagMs; waitedMs += lookMs)
      await sleep(lookMs, undefined, { signal });
    if (said === undefined || isTold()) return;
    const later = await ask();
    if (describeAir(later.stream.air) !== fresh) return;
    const sinceMs = Math.round(performance.now() - askedAt);
    accuse(
      said,
      `a screen that opened ${sinceMs} ms ago was told ${describe(later)}, with a lag of ${Math.round(lag.lagMs)} ms`,
    );
  };

  /** Compares the reported signal and silence with the media on the wire. */
  const checkSilence = (live: StreamLive) => {
    const { air } = live.stream;
    const mediaAt = wire?.mediaAt;
    if (mediaAt === undefined || air.kind !== 'on-air') return;
    const ageMs = Date.now() - mediaAt;
    const isSettled = performance.now() - saidSince > pushMs + lag.lagMs;
    if (air.silentSince === undefined) {
      if (isSettled && ageMs > silenceMs + pushMs + lag.lagMs) accuse(live, `nothing has crossed the wire for ${ageMs} ms`);
    } else if (isSettled && ageMs < silenceMs && mediaAt - air.silentSince > tagMs + lag.lagMs) {
      accuse(live, `media crossed the wire ${ageMs} ms ago`);
    } else if (ageMs >= silenceMs && Math.abs(mediaAt - air.silentSince) > tagMs + lag.lagMs) {
      accuse(live, `silent since ${air.silentSince}, but the last media crossed the wire at ${mediaAt}`);
    }
  };

  /** A good verdict means that viewers get the media, and off air that none arrives. */
  const checkViewer = (live: StreamLive) => {
    const { air } = live.stream;
    const heldMs = performance.now() - (viewer.newMediaAt ?? 0);
    const saidMs = performance.now() - saidSince;
    // When media return just before they count as silent, the viewer's newest part is older by the one that was not full, and the
    // returned encoder has to fill that.
    const longestMs = partMs + silenceMs + pushMs + deliveryMs + tagMs + lag.lagMs;
    const isWell = air.kind === 'on-air' && live.verdict?.severity === 'good';
    if (isWell && saidMs > longestMs && heldMs > longestMs)
      accuse(live, `its viewer has received nothing for ${Math.round(heldMs)} ms`);
    if (air.kind === 'off-air' && saidMs - heldMs > deliveryMs + lag.lagMs)
      accuse(live, `its viewer got media ${Math.round(heldMs)} ms ago`);
  };

  /** Checks that the screens are consistent at one moment. */
  const checkWords = (live: StreamLive) => {
    const { air } = live.stream;
    const isSilent =
      air.kind === 'on-air' ? air.silentSince !== undefined : air.kind === 'reconnecting' && air.back !== 'sending';
    if (isSilent && live.verdict?.severity !== 'bad') accuse(live, 'with no bad verdict');
    if (air.kind === 'off-air' && live.verdict?.severity === 'good') accuse(live, 'with a good verdict');
  };

  const checking = (async () => {
    while (!signal.aborted) {
      const nextMs = performance.now() + 1_000;
      if (said) for (const check of [checkSilence, checkViewer, checkWords]) check(said);
      await Promise.all([checkPlaylist(), checkPushed()]);
      await sleep(Math.max(0, nextMs - performance.now()), undefined, { signal });
    }
  })().catch((error: unknown) => {
    if (!signal.aborted) lies.push(`${name}: the watch of the screens failed: ${error}`);
  });

  return {
    lies,
    /** How many comparisons were made. */
    get checks() {
      return checks;
    },
    get live() {
      return said;
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all([following, checking]);
    },
  };
}

function describeAir(air: AirState): string {
  const session = 'sessionId' in air ? ` ${air.sessionId}` : '';
  return `${air.kind}${session}${'silentSince' in air && air.silentSince !== undefined ? ', no signal' : ''}`;
}

function describe({ stream: { air }, verdict }: StreamLive): string {
  return `${describeAir(air)}, ${verdict?.code ?? 'nothing to judge'}`;
}
