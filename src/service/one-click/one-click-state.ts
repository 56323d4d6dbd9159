import { assertNever } from '../../shared/assert-never.ts';
import type { EncodeChoice, EncodeSettings } from '../../shared/model/encode-settings.ts';
import type { OneClickState } from '../../shared/model/live.ts';
import type { BitrateFollower } from '../bitrate/bitrate-follower.ts';
import type { Feed } from '../capture/feed.ts';
import { timeOfDay } from '../lib/system-clock.ts';
import type { Clock } from '../ports.ts';
import type { EncodePace } from './encode-pace.ts';
import type { Upload, UploadState } from './upload.ts';
import type { UploadSteadiness } from './upload-steadiness.ts';

/** The parts from which a one-click broadcast's state is read. Times are monotonic, in milliseconds. */
export interface OneClickParts {
  encode: EncodeChoice;
  /** The settings that `encode` resolves to. */
  settings: EncodeSettings;
  sinceMs: number;
  feed: Pick<Feed, 'source' | 'away'>;
  pace: Pick<EncodePace, 'fps' | 'speed'>;
  follower: Pick<BitrateFollower, 'bitrateBps' | 'provenBps' | 'isLowest' | 'isKept'>;
  steadiness: Pick<UploadSteadiness, 'recentDrops' | 'steadySinceMs'>;
  /** Undefined until there is something to send. */
  upload: Pick<Upload, 'sentBps' | 'measureWay' | 'inFlightBytes'> | undefined;
  uploadState: UploadState;
  clock: Clock;
}

/** The state of a broadcast that hasn't ended, for the screens. */
export function describeOneClick(parts: OneClickParts): OneClickState {
  const { encode, settings, sinceMs, feed, pace, follower, steadiness, upload, uploadState, clock } = parts;
  const { source, away } = feed;
  const common = { source, encode, settings, since: timeOfDay(clock, sinceMs) };
  switch (uploadState.kind) {
    case 'connecting':
      return { kind: 'starting', ...common };
    case 'retrying':
      return {
        kind: 'retrying',
        ...common,
        away,
        attempt: uploadState.attempt,
        retryAt: timeOfDay(clock, uploadState.retryAtMs),
        failure: uploadState.failure,
      };
    case 'sending':
      return {
        kind: 'running',
        ...common,
        away,
        encodeFps: pace.fps,
        encodeSpeed: pace.speed,
        sentBps: upload?.sentBps,
        ...(isLowered(parts) && { videoBitrateBps: follower.bitrateBps, provenBitrateBps: follower.provenBps }),
        ...(follower.isLowest && { isLowestBitrate: true }),
        ...(follower.isKept && { isBitrateKept: true }),
        queueMs: upload?.measureWay()?.queueMs ?? 0,
        inFlightBytes: upload?.inFlightBytes,
        droppedFrames: steadiness.recentDrops(clock.monotonicMs()),
        steadySince: timeOfDay(clock, steadiness.steadySinceMs),
      };
    default:
      return assertNever(uploadState);
  }
}

/** The video's bitrate is below the chosen one, since the way carries no more. */
export function isLowered({
  follower,
  settings,
}: {
  follower: Pick<BitrateFollower, 'bitrateBps'>;
  settings: Pick<EncodeSettings, 'videoBitrateBps'>;
}): boolean {
  return follower.bitrateBps < settings.videoBitrateBps;
}
