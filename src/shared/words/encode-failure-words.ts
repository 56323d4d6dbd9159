import { assertNever } from '../assert-never.ts';
import type { EncodeFailure } from '../model/encode-failure.ts';

/** Why an encode ended, in a sentence. */
export function describeEncodeFailure(failure: EncodeFailure): string {
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
    default:
      return assertNever(failure);
  }
}
