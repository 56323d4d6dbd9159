import { beatIntervalMs } from '../../shared/heartbeat.ts';
import type { ConnectionCore } from './connection.ts';

/** A service that says nothing for this long is gone, or does not get through: two beats are missing. */
const patienceMs = 2 * beatIntervalMs + 500;
/** How long it may take to answer when it is asked. */
const answerMs = 2_000;
/** A timer that is later than this was held up by the page, which slept or is hidden: what came meanwhile may not be read yet. */
const lateMs = 1_000;

interface HeartbeatOptions {
  /** Nothing was heard for too long, since `sinceMs` by the page's clock. */
  onSilent: (sinceMs: number) => void;
  /** Something is heard again after all. */
  onBack?: () => void;
  monotonicMs?: () => number;
}

/** The watch over one opened way to the service. */
export interface Heartbeat {
  /** Something came from the service. */
  heard(): void;
  end(): void;
}

/**
 * Has the service say over `connection` every 2 s that it is there, and tells when it does not: a network that is gone and a host
 * that hangs close nothing.
 *
 * A page that slept asks before it tells.
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
    wait(patienceMs, false);
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
      // The way is lost, or the page asks anew.
    }
  };
  const look = (dueAt: number, hasAsked: boolean) => {
    const now = monotonicMs();
    const leftMs = heardAt + patienceMs - now;
    if (leftMs > 0) return wait(leftMs, false);
    if (!hasAsked && now - dueAt > lateMs) {
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
  wait(patienceMs, false);
  return {
    heard,
    end() {
      isOver = true;
      clearTimeout(timer);
      listening.abort();
    },
  };
}
