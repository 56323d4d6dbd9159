import { assertNever } from '../assert-never.ts';
import type { OneClickFailure } from '../model/one-click-failure.ts';

/** Why an encode ended, or an ingest was lost, in a sentence, with what to do where that is known. */
export function describeFailure(failure: OneClickFailure): string {
  switch (failure.code) {
    case 'killed':
      return `ffmpeg was ended from outside (${failure.signal}).`;
    case 'not-started':
      return 'ffmpeg could not be started.';
    case 'exited':
      return `ffmpeg ended with code ${failure.exitCode}.`;
    case 'stuck':
      return 'ffmpeg takes frames in but puts none out.';
    case 'unreadable':
      return `What ffmpeg wrote cannot be read: ${failure.fault}`;
    case 'source-ended':
      return 'ffmpeg ended by itself: the source came to its end.';
    case 'no-video-track':
      return 'The file has no video track; choose one with a picture.';
    case 'file-gone':
      return 'The file is not there any more; choose it again.';
    case 'file-forbidden':
      return 'The file may not be read; check its permissions.';
    case 'file-is-folder':
      return 'That is a folder; choose a file in it.';
    case 'file-unreadable':
      return 'The file is not a video that ffmpeg can read, or it is damaged.';
    case 'no-x264':
      return 'This ffmpeg was built without x264, which Go live needs; install a full build.';
    case 'out-of-memory':
      return 'The computer ran out of memory while encoding.';
    case 'unreachable':
      return `The ingest cannot be reached (${failure.reason}).`;
    case 'no-answer':
      return `The ingest did not answer within ${failure.afterMs / 1000} s.`;
    case 'disconnected':
      return 'The ingest closed the connection.';
    case 'connection-broke':
      return `The connection to the ingest broke (${failure.reason}).`;
    case 'takes-no-data':
      return `The ingest has taken no data for ${failure.forMs / 1000} s.`;
    case 'protocol':
      return failure.fault;
    case 'refused':
      return `The ingest refused the stream (${failure.status ?? 'no reason given'}).`;
    case 'said':
      return failure.text;
    case 'internal':
      return 'Publishing failed.';
    default:
      return assertNever(failure);
  }
}
