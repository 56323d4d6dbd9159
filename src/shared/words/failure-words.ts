import type { OneClickFailure } from '../model/one-click-failure.ts';
import { withUnit } from '../with-unit.ts';
import { describeIngestFailure } from './ingest-failure-words.ts';
import { describeUnstarted } from './shortage-words.ts';

/** Why an encode ended or an ingest was lost, in a sentence, with the remedy if we know one. */
export function describeFailure(failure: OneClickFailure): string {
  switch (failure.code) {
    case 'killed':
      return `ffmpeg was killed (${failure.signal}).`;
    case 'not-started':
      return describeUnstarted(failure.shortage);
    case 'exited':
      return `ffmpeg exited with code ${failure.exitCode}.`;
    case 'stuck':
      return 'ffmpeg accepts frames but outputs none.';
    case 'frozen':
      return `ffmpeg froze: it output nothing for ${withUnit(failure.forMs / 1000, 's')}.`;
    case 'unreadable':
      return `ffmpeg's output can't be read: ${failure.fault}`;
    case 'no-video-track':
      return 'The file has no video track. Choose one that has video.';
    case 'file-gone':
      return 'The file was moved or deleted. Choose it again.';
    case 'file-forbidden':
      return "Tallylight isn't allowed to read the file. Check its permissions.";
    case 'file-is-folder':
      return "That's a folder. Choose a file in it.";
    case 'file-unreadable':
      return "ffmpeg can't read this file. It may be damaged, or neither a video nor a picture.";
    case 'no-x264':
      return `This ffmpeg was built without x264, which Go live needs. ${
        failure.installCommand === undefined
          ? 'Install a full build.'
          : `Run "${failure.installCommand}" to install a full build.`
      }`;
    case 'out-of-memory':
      return 'The computer ran out of memory while encoding.';
    default:
      return describeIngestFailure(failure);
  }
}
