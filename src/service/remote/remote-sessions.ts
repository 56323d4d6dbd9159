import type { SessionView } from '../../shared/model/views.ts';
import type { RemoteApi } from './remote-api.ts';
import { readRemoteFailure } from './remote-error.ts';
import { formatRemoteSession } from './remote-view.ts';

/** The broadcasts of a remote stream, newest first; none if the service doesn't list them. @throws {RemoteError} */
export async function listRemoteSessions(api: RemoteApi, id: string, limit: number): Promise<SessionView[]> {
  try {
    return (await api.listSessions(id, limit)).map((session) => formatRemoteSession(session, api.clockAheadMs));
  } catch (error) {
    // The interface's description doesn't have this call.
    if (readRemoteFailure(error).code === 'not-offered') return [];
    throw error;
  }
}
