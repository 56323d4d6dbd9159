import { beatIntervalMs } from '../../shared/heartbeat.ts';
import type { ConnectionCore } from './connection.ts';
import { lateTimerMs } from './page-sleep.ts';

/** After this long without a heartbeat, in milliseconds, the service is gone or unreachable, or the page slept: two beats are missing. */
export const heartbeatPatienceMs = 2 * beatIntervalMs + 500;
/** How long it may take to answer when asked. */
const answerMs = 2_000;

interface HeartbeatOptions {
  /** Nothing was heard for too long, since `sinceMs` by the page's clock. */
  onSilent: (sinceMs: number) => void;
  /** The page hears the service again. */
  onBack?: () => void;
  monotonicMs?: () => number;
}

/** Watches one open connection to the service. */
export interface Heartbeat {
  /** Something arrived from the service. */
  heard(): void;
  end(): void;
}

/**
 * Listens to the service's heartbeat, every 2 s, and reports when it stops: neither a dead network nor a hanging host closes
 * anything.
 *
 * After sleeping, a page asks the service before it reports silence.
 */
export function followHeartbeat(
  connection: Pick<ConnectionCore, 'client' | 'clock'>,
  { onSilent, onBack, monotonicMs = () => performance.now() }: HeartbeatOptions,
): Heartbeat {
  let listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heardAt = monotonicMs();
  let heardAtMs = Date.now();
  let isSilent = false;
  let isOver = false;

  const heard = () => {
    heardAt = monotonicMs();
    heardAtMs = Date.now();
    if (!isSilent || isOver) return;
    isSilent = false;
    wait(heartbeatPatienceMs, false);
    onBack?.();
  };
  /** The first beat comes at once. */
  const ask = async () => {
    listening.abort();
    listening = new AbortController();
    const { signal } = listening;
    try {
      for await (const { now } of await connection.client.service.beat(undefined, { signal })) {
        connection.clock.note(now, Date.now());
        heard();
      }
    } catch {
      // The connection is lost, or the page asks again.
    }
  };
  const look = (dueAt: number, hasAsked: boolean) => {
    const now = monotonicMs();
    const leftMs = heardAt + heartbeatPatienceMs - now;
    if (leftMs > 0) return wait(leftMs, false);
    if (!hasAsked && now - dueAt > lateTimerMs) {
      void ask();
      return wait(answerMs, true);
    }
    isSilent = true;
    onSilent(heardAtMs);
  };
  const wait = (forMs: number, hasAsked: boolean) => {
    const dueAt = monotonicMs() + forMs;
    timer = setTimeout(() => look(dueAt, hasAsked), forMs);
  };

  void ask();
  wait(heartbeatPatienceMs, false);
  return {
    heard,
    end() {
      isOver = true;
      clearTimeout(timer);
      listening.abort();
    },
  };
}
