import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../../shared/contract.ts';
import { createListeners } from '../../shared/listeners.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';

/** Every call and event of the contract, typed. */
export type ContractClient = ContractRouterClient<typeof contract>;

/**
 * Whether calls reach the service.
 *
 * `lost` and `refused` both retry automatically; `refused` recovers only once this browser has started another session.
 * `sinceMs` is when the service was last heard, epoch milliseconds.
 */
export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'open'; generation: number }
  | { kind: 'lost'; sinceMs: number }
  | { kind: 'refused'; sinceMs: number };

/** The connection to the service, over either transport. */
export interface Connection {
  readonly client: ContractClient;
  /** Set by the service's heartbeats. */
  readonly clock: ServiceClock;
  state(): ConnectionState;
  /** Calls `listener` on each change of state; returns the undo. */
  onChange(listener: () => void): () => void;
  close(): void;
}

/** Carries one call; oRPC's links for both transports fit it. */
export interface ContractLink {
  call(
    path: readonly string[],
    input: unknown,
    options: { signal?: AbortSignal; context: Record<never, never> },
  ): Promise<unknown>;
}

/** The half of a {@link Connection} that a transport drives. */
export interface ConnectionCore extends Connection {
  readonly clock: ReturnType<typeof createServiceClock>;
  /** Sends calls over `link` from now on. */
  opened(link: ContractLink): void;
  /** The connection is lost, since `sinceMs` or now. Calls fail at once until it reopens. */
  lost(sinceMs?: number): void;
  refused(): void;
}

/** A connection without a transport yet. Calls made before it first opens wait for that. `close` runs `onClose` once. */
export function createConnectionCore({ now, onClose }: { now: () => number; onClose: () => void }): ConnectionCore {
  const listeners = createListeners();
  let state: ConnectionState = { kind: 'connecting' };
  let link: ContractLink | undefined;
  let generation = 0;
  let closed = false;
  /** Resolves once the page is no longer connecting for the first time. */
  const decided = Promise.withResolvers<void>();

  const enter = (next: ConnectionState) => {
    state = next;
    decided.resolve();
    listeners.emit();
  };

  return {
    client: createORPCClient<ContractClient>({
      call: async (path, input, options) => {
        if (state.kind === 'connecting') await decided.promise;
        if (link === undefined) {
          throw new Error('There is no connection to the service.');
        }
        return link.call(path, input, options);
      },
    }),
    clock: createServiceClock(),
    state: () => state,
    onChange: listeners.on,
    opened(next) {
      link = next;
      generation += 1;
      enter({ kind: 'open', generation });
    },
    lost(sinceMs = now()) {
      link = undefined;
      // A refused page stays refused until an attempt succeeds.
      if (state.kind !== 'lost' && state.kind !== 'refused') enter({ kind: 'lost', sinceMs });
    },
    refused() {
      link = undefined;
      if (state.kind !== 'refused') enter({ kind: 'refused', sinceMs: state.kind === 'lost' ? state.sinceMs : now() });
    },
    close() {
      if (closed) return;
      closed = true;
      link = undefined;
      decided.resolve();
      listeners.clear();
      onClose();
    },
  };
}
