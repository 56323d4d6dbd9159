import type { AnsweredSession, AnsweredStream } from './remote-answers.ts';
import type { RemoteApi } from './remote-api.ts';
import { readRemoteFailure } from './remote-error.ts';

/** How often a service that has never listed sessions must answer that it can't before we believe it, since a proxy may answer so, too. */
const believedDenials = 3;

/** The newest broadcast of a remote stream, if its service lists them. */
export class NewestSession {
  #api: Pick<RemoteApi, 'listSessions'> | undefined;
  #hasBeenListed = false;
  #denials = 0;

  /**
   * Call it once the service has answered for the stream itself. An idle stream's session is read only once, since it stays the same.
   *
   * @throws {RemoteError}
   */
  async read(
    api: Pick<RemoteApi, 'listSessions'>,
    { id, isActive }: AnsweredStream,
    known: AnsweredSession | undefined,
  ): Promise<AnsweredSession | undefined> {
    // Another address is another service.
    if (this.#api !== api) {
      this.#api = api;
      this.#hasBeenListed = false;
      this.#denials = 0;
    }
    if (this.#denials >= believedDenials || (known?.isActive === false && !isActive)) return known;
    try {
      const [newest] = await api.listSessions(id, 1);
      this.#hasBeenListed = true;
      return newest;
    } catch (error) {
      // The interface's description lacks this call, so do without. A service that has listed sessions before is only away behind a proxy.
      if (this.#hasBeenListed || readRemoteFailure(error).code !== 'not-offered') throw error;
      this.#denials += 1;
      return undefined;
    }
  }
}
