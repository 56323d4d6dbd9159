import type { StreamView } from '../../shared/model/views.ts';
import { untilAborted } from '../lib/until-aborted.ts';
import type { OneClicks } from '../one-click/one-clicks.ts';
import type { RemoteApi } from './remote-api.ts';
import { readRemoteFailure } from './remote-error.ts';

/** How long Stop waits for a service to terminate the stream: with the goodbye, it takes under 5 s. */
const terminateMs = 3_000;

export interface RemoteStopOptions {
  api: () => Pick<RemoteApi, 'terminate'>;
  oneClicks: Pick<OneClicks, 'isSent' | 'stop'>;
  /** A stream's name in the contract, by its id at the service. */
  refOf: (id: string) => string;
}

/** Stops the broadcasts of a remote service's streams. */
export class RemoteStop {
  readonly #options: RemoteStopOptions;
  /** The streams that are being terminated, by id: any broadcast on air when the request arrives ends. */
  readonly #terminating = new Map<string, Promise<unknown>>();

  constructor(options: RemoteStopOptions) {
    this.#options = options;
  }

  /** Resolves once the stream isn't being terminated. Never rejects. */
  async untilTerminated(id: string): Promise<void> {
    await this.#terminating.get(id);
  }

  /**
   * Our own broadcast ends with our goodbye to the ingest. Without a connection, or on a blocked one, the goodbye doesn't arrive and the
   * service would wait for us; then the stream is terminated over the interface, as for another program's broadcast. A program that took
   * over while our upload was trying again stays on air, and so does one that was on air when our upload never got through.
   *
   * @param view the stream as last shown; undefined if it was neither watched nor sent to
   * @param wasSent whether the service had got some of our broadcast that is lost now
   */
  async stop(id: string, view: StreamView | undefined, wasSent: boolean): Promise<void> {
    const { oneClicks, refOf } = this.#options;
    const wasOurs = oneClicks.isSent(refOf(id));
    const isHeard = await oneClicks.stop(refOf(id));
    // The service can't say whether it waits in a region that it doesn't speak for.
    const isAwaited = view?.isActive === true && ((view.air.kind === 'reconnecting' && wasSent) || !isHeard);
    const api = this.#options.api();
    if (!wasOurs) await api.terminate(id);
    // The upload has stopped. If the service can't be reached, it stops waiting by itself; until then the screens show its answers.
    else if (isAwaited) await untilAborted(this.#terminate(api, id), AbortSignal.timeout(terminateMs)).catch(() => {});
  }

  /** Never rejects. */
  #terminate(api: Pick<RemoteApi, 'terminate'>, id: string): Promise<unknown> {
    const terminated = api
      .terminate(id)
      .catch(readRemoteFailure)
      .finally(() => {
        if (this.#terminating.get(id) === terminated) this.#terminating.delete(id);
      });
    this.#terminating.set(id, terminated);
    return terminated;
  }
}
