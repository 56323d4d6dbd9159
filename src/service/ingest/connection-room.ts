import { putLast } from '../../shared/put-last.ts';
import type { IngestBounds } from '../config.ts';
import { groupAddress } from '../lib/address-group.ts';

/** Most addresses to remember; beyond it, the one that published longest ago is forgotten. */
const maxAddresses = 4_096;

/** A connection, as the room sees it. */
export interface Occupant {
  readonly remoteAddress: string;
  /** Whether its stream key was valid and its stream has not ended. */
  readonly isPublishing: boolean;
}

type RoomBounds = Pick<IngestBounds, 'maxConnections' | 'maxWaitingPerAddress' | 'maxWaitingPerKnownAddress'>;

/**
 * Decides who may connect. Publishing connections are never closed for others. Among those that have not sent a valid key, the one
 * that has waited longest is closed, so that idle connections cannot lock anyone out.
 */
export class ConnectionRoom<Connection extends Occupant> {
  readonly #bounds: RoomBounds;
  /** Oldest first. */
  readonly #connections = new Set<Connection>();
  /** Address groups that have sent a valid key, newest last. */
  readonly #known = new Map<string, true>();

  constructor(bounds: RoomBounds) {
    this.#bounds = bounds;
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections;
  }

  /** Whether a new connection would be refused. */
  get isFull(): boolean {
    return this.#connections.size >= this.#bounds.maxConnections && [...this.#connections].every((one) => one.isPublishing);
  }

  /** How many connections of this address may wait: more if it has sent a valid key before. */
  maxWaitingOf(address: string): number {
    const { maxWaitingPerAddress, maxWaitingPerKnownAddress } = this.#bounds;
    return this.#known.has(groupAddress(address)) ? maxWaitingPerKnownAddress : maxWaitingPerAddress;
  }

  /** The connection to close before one from this address is accepted; `full` if none may be closed. */
  findLeaver(address: string): Connection | 'nobody' | 'full' {
    const { maxConnections } = this.#bounds;
    const group = groupAddress(address);
    const waiting = Map.groupBy(
      [...this.#connections].filter((connection) => !connection.isPublishing),
      ({ remoteAddress }) => groupAddress(remoteAddress),
    );
    const ofAddress = waiting.get(group) ?? [];
    if (ofAddress.length >= this.maxWaitingOf(address)) return ofAddress[0] ?? 'full';
    if (this.#connections.size < maxConnections) return 'nobody';
    const [crowd] = [...waiting.values()].sort((one, other) => other.length - one.length);
    return crowd?.[0] ?? 'full';
  }

  add(connection: Connection): void {
    this.#connections.add(connection);
  }

  delete(connection: Connection): void {
    this.#connections.delete(connection);
  }

  /** Records that this address sent a valid key, so that more of its connections may wait. */
  noteKnown(address: string): void {
    putLast(this.#known, groupAddress(address), true, maxAddresses);
  }
}
