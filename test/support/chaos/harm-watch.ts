import type { StreamLive } from '../../../src/shared/model/views.ts';
import type { LagMeter } from './lag-meter.ts';
import type { LiveViewer } from './live-viewer.ts';

/** Something that viewers play, which nothing may harm but what is done to itself. */
export interface GuardedPlayback {
  name: string;
  viewer: LiveViewer;
  truth: { readonly live: StreamLive | undefined };
  /** When media of its encoder last went over the wire, epoch milliseconds; absent where the wire is our own. */
  wire?: { readonly mediaAt: number | undefined };
  /** How long media may be on its way from the wire to the viewer, in milliseconds. */
  longestHeldMs: number;
}

const lookMs = 100;
/** What an operation sets off is seen within this time: a connection that falls, an encoder that starts. */
const aftermathMs = 2_000;

/** Notes whatever befalls a playback that is on air and to which nothing was done. */
export function watchHarm({ name, viewer, truth, wire, longestHeldMs }: GuardedPlayback, lag: LagMeter) {
  const harms: string[] = [];
  let operations = 0;
  /** Since when nothing has been done to it. */
  let aloneSince = performance.now();
  let isSettled = false;
  let elsewhere = 'nothing yet';

  const look = () => {
    const air = truth.live?.stream.air;
    if (operations > 0 || air === undefined) return;
    const isOnAir = air.kind === 'on-air' && air.silentSince === undefined;
    const newMediaAt = viewer.newMediaAt ?? 0;
    if (!isSettled) {
      isSettled = isOnAir && newMediaAt > aloneSince + aftermathMs;
      return;
    }
    const heldMs = performance.now() - newMediaAt;
    // An encoder that the computer gives no time sends nothing, which is no harm of the service's.
    const idleMs = wire?.mediaAt === undefined ? 0 : Date.now() - wire.mediaAt;
    const harm = isOnAir
      ? heldMs - idleMs > longestHeldMs + lag.lagMs && `its viewer has had nothing for ${Math.round(heldMs)} ms`
      : `it is ${air.kind}${air.kind === 'on-air' ? ' without a signal' : ''}`;
    if (harm === false) return;
    harms.push(`${name}: ${harm}, and nothing was done to it; elsewhere: ${elsewhere}`);
    isSettled = false;
  };
  const timer = setInterval(look, lookMs);
  return {
    harms,
    /** Whether it is on air, with media that came after the last thing that was done to it. */
    get isSettled() {
      return isSettled && operations === 0;
    },
    /** Notes what is done, to it or elsewhere. */
    async during<Result>(what: string, isOwn: boolean, run: () => Promise<Result>): Promise<Result> {
      if (!isOwn) {
        elsewhere = what;
        return await run();
      }
      operations += 1;
      isSettled = false;
      try {
        return await run();
      } finally {
        operations -= 1;
        aloneSince = performance.now();
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
