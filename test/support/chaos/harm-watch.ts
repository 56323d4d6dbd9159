import type { StreamLive } from '../../../src/shared/model/views.ts';
import type { LiveViewer } from '../live-viewer.ts';
import type { LagMeter } from './lag-meter.ts';

/** A playback that must be affected only by operations on itself. */
export interface GuardedPlayback {
  name: string;
  viewer: LiveViewer;
  truth: { readonly live: StreamLive | undefined };
  /** When its publisher's media last crossed the wire, in epoch milliseconds; absent for our own wire. */
  wire?: { readonly mediaAt: number | undefined };
  /** Longest time media may take from the wire to the viewer, in milliseconds. */
  longestHeldMs: number;
}

const lookMs = 100;
/** Effects of an operation (a dropped connection, a starting encoder) appear within this time. */
const aftermathMs = 2_000;

/** Records any harm to a playback that is on air and was not operated on. */
export function watchHarm({ name, viewer, truth, wire, longestHeldMs }: GuardedPlayback, lag: LagMeter) {
  const harms: string[] = [];
  let operations = 0;
  /** The time of the last operation on it. */
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
    // An encoder starved of CPU sends nothing; that is no fault of the service.
    const idleMs = wire?.mediaAt === undefined ? 0 : Date.now() - wire.mediaAt;
    const harm = isOnAir
      ? heldMs - idleMs > longestHeldMs + lag.lagMs && `its viewer has received nothing for ${Math.round(heldMs)} ms`
      : `it is ${air.kind}${air.kind === 'on-air' ? ' without a signal' : ''}`;
    if (harm === false) return;
    harms.push(`${name}: ${harm}, and nothing was done to it; elsewhere: ${elsewhere}`);
    isSettled = false;
  };
  const timer = setInterval(look, lookMs);
  return {
    name,
    harms,
    /** Whether it is on air, with media newer than the last operation on it. */
    get isSettled() {
      return isSettled && operations === 0;
    },
    /** Records an operation on it or elsewhere. */
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
