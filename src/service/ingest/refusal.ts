import type { EndReason } from '../../shared/model/live.ts';
import type { LossCause } from '../../shared/model/refusal.ts';
import { describeLossCause } from '../../shared/words/loss-words.ts';
import type { StatusInfo } from '../rtmp/commands.ts';

/** The status info of a refusal: an RTMP status code for any encoder, the reason in words for people, and as a code for our own. */
export function formatRefusal(cause: LossCause): StatusInfo {
  return { level: 'error', code: statusOf(cause), description: describeLossCause(cause), reason: cause.code };
}

/** `BadName` says that this key won't do, `Failed` that another attempt may help. OBS tries again after either (decision 0009). */
function statusOf(cause: LossCause): string {
  switch (cause.code) {
    case 'wrong-app':
      return 'NetConnection.Connect.InvalidApp';
    case 'asked-to-play':
      return 'NetStream.Play.Failed';
    case 'codec':
      return 'NetStream.Publish.Rejected';
    case 'store-unreadable':
    case 'restless':
    case 'no-media':
    case 'ingest-closing':
      return 'NetStream.Publish.Failed';
    case 'broadcast-ended':
      return endedWithService(cause.reason) ? 'NetStream.Publish.Failed' : 'NetStream.Publish.BadName';
    default:
      return 'NetStream.Publish.BadName';
  }
}

/** Whether the broadcast ended only because its service did, whose next start takes the same key. */
function endedWithService(reason: EndReason): boolean {
  return reason === 'service-closed' || reason === 'service-crashed';
}
