import { parseStreamRef } from '../../shared/model/stream-ref.ts';
import type { StreamView } from '../../shared/model/views.ts';
import type { RemoteStreamService, StreamService } from './stream-service.ts';

/** The remote services that the user has added. */
interface RemoteDirectory {
  find(serviceId: string): object | undefined;
  /** @throws {ServiceError} NOT_FOUND */
  get(serviceId: string): object;
  /**
   * Forgets a service and its key; its streams stay there.
   *
   * @throws {ServiceError} NOT_FOUND, SERVICE_IN_USE; UNAVAILABLE, for example when the disk doesn't confirm the removal, though it is done
   */
  remove(serviceId: string): Promise<void>;
}

export interface StreamServicesOptions {
  /** This computer's service. */
  own: () => StreamService;
  remotes: RemoteDirectory;
  open: (serviceId: string) => RemoteStreamService;
  /** The streams with a one-click broadcast, as the contract names them. */
  oneClickIds: () => readonly string[];
}

/** Every service whose streams the screens show, and the way from a stream's name in the contract to its service. */
export class StreamServices {
  readonly #options: StreamServicesOptions;
  readonly #remotes = new Map<string, RemoteStreamService>();

  constructor(options: StreamServicesOptions) {
    this.#options = options;
  }

  /** @throws {ServiceError} NOT_FOUND for an unknown remote service; undefined is this computer */
  get(serviceId: string | undefined): StreamService {
    if (serviceId === undefined) return this.#options.own();
    this.#options.remotes.get(serviceId);
    return this.#remote(serviceId);
  }

  /** Calls a stream's service with the stream's id there. @throws {ServiceError} NOT_FOUND for an unknown remote service */
  at<T>(streamId: string, call: (service: StreamService, id: string) => T): T {
    const { serviceId, id } = parseStreamRef(streamId);
    return call(this.get(serviceId), id);
  }

  /** The streams of remote services that this computer sends to, or has failed to. */
  remoteOnAir(): StreamView[] {
    return this.#options.oneClickIds().flatMap((streamId) => this.findRemoteOnAir(streamId) ?? []);
  }

  /** As {@link remoteOnAir}, one of them. */
  findRemoteOnAir(streamId: string): StreamView | undefined {
    const { serviceId, id } = parseStreamRef(streamId);
    return serviceId === undefined ? undefined : this.#remotes.get(serviceId)?.findOnAir(id);
  }

  /** Removes a remote service and everything that is known of its streams. @throws {ServiceError} as {@link RemoteDirectory.remove} */
  async remove(serviceId: string): Promise<void> {
    const { remotes } = this.#options;
    try {
      await remotes.remove(serviceId);
    } finally {
      // A removal that the disk didn't confirm may have happened.
      if (remotes.find(serviceId) === undefined) await this.#close(serviceId);
    }
  }

  async #close(serviceId: string): Promise<void> {
    const streams = this.#remotes.get(serviceId);
    this.#remotes.delete(serviceId);
    await streams?.close();
  }

  #remote(serviceId: string): RemoteStreamService {
    const known = this.#remotes.get(serviceId) ?? this.#options.open(serviceId);
    this.#remotes.set(serviceId, known);
    return known;
  }
}
