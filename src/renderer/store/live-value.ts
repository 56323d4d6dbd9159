import { keepRunning } from '../../shared/keep-running.ts';
import { createListeners } from '../../shared/listeners.ts';
import type { Connection, ConnectionState, ContractClient } from '../client/connection.ts';
import { type Failure, readFailure, unreachedCode } from '../client/failure.ts';

/** The current state of a value that arrives as events. */
export type LiveSnapshot<T> =
  | { kind: 'waiting' }
  /**
   * `refused`: the service answers, but can't tell the value any more, so it is old. `unreadSinceMs`: when contact was lost, in epoch
   * milliseconds of the page's clock; the value hasn't been read since, though contact may be back.
   */
  | { kind: 'known'; value: T; refused?: Refused; unreadSinceMs?: number }
  | { kind: 'failed'; failure: Failure };

/** Why a known value isn't current, and since when, in epoch milliseconds of the page's clock. */
export interface Refused {
  failure: Failure;
  sinceMs: number;
}

/** A value the service keeps current while somebody listens. */
export interface LiveValue<T> {
  get(): LiveSnapshot<T>;
  /** The first listener opens the events, and the last one to leave cancels them; returns the undo. */
  subscribe(listener: () => void): () => void;
}

/** Opens the events of one value over the contract. */
export type OpenEvents<T> = (client: ContractClient, signal: AbortSignal) => Promise<AsyncIterable<T>>;

const finalCodes = new Set(['NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED']);
/** Our service answers, but the remote one with the value doesn't: this is shown, and retried less often. */
const elsewhereCode = 'REMOTE_FAILED';

export interface LiveValueOptions<T> {
  retryMs?: number;
  elsewhereRetryMs?: number;
  /** Whether a refusal by the service is a failure at once, although it is retried. */
  tellsRefusals?: boolean;
  /** Derives the value shown when the service can't tell it any more; by default, the last known value. */
  asRefused?: (value: T) => T;
  /** How long after the last listener left the known value is shown again: later it may be quite different. */
  keptMs?: number;
}

/**
 * A live value over `connection`. Its events reopen whenever the connection does. It keeps its last value meanwhile, and for a moment when
 * nobody listens. It holds one value and no history.
 */
export function createLiveValue<T>(
  connection: Connection,
  open: OpenEvents<T>,
  {
    retryMs = 1_000,
    elsewhereRetryMs = 5_000,
    tellsRefusals = false,
    asRefused = (value) => value,
    keptMs = 1_000,
  }: LiveValueOptions<T> = {},
): LiveValue<T> {
  const listeners = createListeners();
  let snapshot: LiveSnapshot<T> = { kind: 'waiting' };
  let running: AbortController | undefined;
  let leftAtMs = Number.NEGATIVE_INFINITY;
  /** When the first refusal since the last value arrived. */
  let refusedSinceMs: number | undefined;

  const isLate = () => performance.now() - leftAtMs > keptMs;
  const isOld = () => running === undefined && snapshot.kind !== 'waiting' && isLate();
  const set = (next: LiveSnapshot<T>) => {
    snapshot = next;
    listeners.emit();
  };

  /** Follows the value until its events end; resolves with the reason, and with the state of the connection before. */
  const follow = async (left: AbortSignal) => {
    markUnread();
    await untilOpen(connection, left);
    const state = connection.state();
    if (left.aborted) return { state };
    const contact = new AbortController();
    const undo = connection.onChange(() => {
      markUnread();
      // The app's port stays open when contact is lost: only new events show whether the value is still the same.
      if (connection.state().kind === 'open') contact.abort();
    });
    const signal = AbortSignal.any([left, contact.signal]);
    try {
      for await (const value of await open(connection.client, signal)) {
        // A value under way when contact was lost is out of date.
        if (signal.aborted || connection.state() !== state) break;
        refusedSinceMs = undefined;
        set({ kind: 'known', value });
      }
      return { state };
    } catch (error) {
      return { state, failure: readFailure(error) };
    } finally {
      undo();
    }
  };
  const markUnread = () => {
    const state = connection.state();
    if (snapshot.kind !== 'known' || snapshot.unreadSinceMs !== undefined) return;
    if (state.kind === 'lost' || state.kind === 'refused') set({ ...snapshot, unreadSinceMs: state.sinceMs });
  };
  /** Shows a failure, except that the service didn't answer, which the page shows elsewhere. */
  const tell = (failure: Failure) => {
    if (failure.code === unreachedCode) return;
    if (tellsRefusals || isFinal(failure) || failure.code === elsewhereCode) return set({ kind: 'failed', failure });
    if (refusedSinceMs === undefined) {
      // The refusal may pass by itself: only the next one is shown.
      refusedSinceMs = Date.now();
      return;
    }
    if (snapshot.kind !== 'known') return set({ kind: 'failed', failure });
    const value = snapshot.refused === undefined ? asRefused(snapshot.value) : snapshot.value;
    set({ kind: 'known', value, refused: { failure, sinceMs: refusedSinceMs } });
  };
  const nextAfterMs = ({ state, failure }: { state: ConnectionState; failure?: Failure }) => {
    if (failure !== undefined) tell(failure);
    if (failure !== undefined && isFinal(failure)) return undefined;
    if (failure?.code === elsewhereCode) return elsewhereRetryMs;
    // If the connection has already come back, there is nothing to wait for.
    return connection.state() === state ? retryMs : 0;
  };

  return {
    get() {
      if (isOld()) snapshot = { kind: 'waiting' };
      return snapshot;
    },
    subscribe(listener) {
      const undo = listeners.on(listener);
      if (running === undefined) {
        if (snapshot.kind === 'failed' || isOld()) snapshot = { kind: 'waiting' };
        if (isLate()) refusedSinceMs = undefined;
        running = new AbortController();
        void keepRunning(follow, { signal: running.signal, nextAfterMs, onWake: (wake) => connection.onChange(wake) });
      }
      return () => {
        undo();
        if (!listeners.isEmpty()) return;
        running?.abort();
        running = undefined;
        leftAtMs = performance.now();
      };
    },
  };
}

/** Whether asking again would give the same answer, so it isn't worth trying. */
export function isFinal({ code }: Failure): boolean {
  return finalCodes.has(code);
}

function untilOpen(connection: Connection, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      if (connection.state().kind !== 'open' && !signal.aborted) return;
      undo();
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const undo = connection.onChange(settle);
    signal.addEventListener('abort', settle);
    settle();
  });
}
