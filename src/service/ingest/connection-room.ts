import type { IngestBounds } from '../config.ts';
import { groupAddress } from '../lib/address-group.ts';

/** Addresses remembered at most; beyond, the one that published longest ago is forgotten. */
const maxAddresses = 4_096;

/** A connection as the room sees it. */
export interface Occupant {
  readonly remoteAddress: string;
  /** Its stream key was right, and it has not ended its stream. */
  readonly isPublishing: boolean;
}

type RoomBounds = Pick<IngestBounds, 'maxConnections' | 'maxWaitingPerAddress' | 'maxWaitingPerKnownAddress'>;

/**
 * Who may be connected. Those who publish are never sent away for others; of those who have yet to show a key, the one that has
 * waited longest makes room, so that nobody is kept out by connections that are held for their own sake.
 */
export class ConnectionRoom<Connection extends Occupant> {
  readonly #bounds: RoomBounds;
  /** The oldest first. */
  readonly #connections = new Set<Connection>();
  /** Addresses from which a right key has come, the newest last. */
  readonly #known = new Set<string>();

  constructor(bounds: RoomBounds) {
    this.#bounds = bounds;
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections;
  }

  /** Whether somebody new would be turned away. */
  get isFull(): boolean {
    return this.#connections.size >= this.#bounds.maxConnections && [...this.#connections].every((one) => one.isPublishing);
  }

  /** Who has to leave before one from this address comes in; `full` where nobody may be asked to. */
  findLeaver(address: string): Connection | 'nobody' | 'full' {
    const { maxConnections, maxWaitingPerAddress, maxWaitingPerKnownAddress } = this.#bounds;
    const group = groupAddress(address);
    const waiting = Map.groupBy(
      [...this.#connections].filter((connection) => !connection.isPublishing),
      ({ remoteAddress }) => groupAddress(remoteAddress),
    );
    const ofAddress = waiting.get(group) ?? [];
    const most = this.#known.has(group) ? maxWaitingPerKnownAddress : maxWaitingPerAddress;
    if (ofAddress.length >= most) return ofAddress[0] ?? 'full';
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

  /** A right key has come from there: more may wait there at a time. */
  noteKnown(address: string): void {
    const group = groupAddress(address);
    this.#known.delete(group);
    this.#known.add(group);
    const oldest = this.#known.values().next();
    if (this.#known.size > maxAddresses && !oldest.done) this.#known.delete(oldest.value);
  }
}
