import { isLoopbackUrl } from '../../../shared/loopback-url.ts';
import type { AwayPart } from '../../../shared/model/capture.ts';
import type { EncodeDoubt } from '../../../shared/model/encode-settings.ts';
import type { Severity } from '../../../shared/model/live.ts';
import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import { describeAwayPart } from '../../../shared/words/capture-words.ts';
import { describeDoubt } from '../../../shared/words/encode-words.ts';
import { endWords } from '../../../shared/words/end-words.ts';
import { nameMissingFfmpeg } from '../../../shared/words/ffmpeg-words.ts';
import { formatDayAndTime } from '../../format/moment.ts';
import { nameEncoder } from '../../status/encoder-name.ts';
import { formatOnAir } from '../../status/ended-broadcast.ts';
import { listRenditionNames } from '../../status/rendition-status.ts';
import { type ChoiceFault, unready } from './choice.ts';

/** One thing to know before going live. Without a severity it is neutral. */
export interface PreflightCheck {
  name: string;
  severity: Severity | undefined;
  text: string;
}

/** What to know before the next broadcast: the answer, then the checks behind it. */
export interface Preflight {
  severity: Severity;
  title: string;
  sentence?: string;
  checks: PreflightCheck[];
}

/** What the next broadcast needs from this computer: the service, and the chosen source. */
export interface Equipment extends OwnAddress, Pick<ServiceInfo, 'ffmpeg' | 'encoders'> {
  source: SourceState;
}

/** Where this computer's streams are played, and other facts about streams on this computer. */
type OwnAddress = Pick<ServiceInfo, 'playbackBaseUrl' | 'isOnAllAddresses' | 'regionOrigins' | 'secrets'>;

/** What is known of the chosen source. */
export interface SourceState {
  /** What is missing before the choice is a source. */
  fault?: ChoiceFault | undefined;
  /** Parts of it that can't be captured now. */
  away: readonly AwayPart[];
  /** It has no sound, and nobody chose that (`Sound.isUnchosen`). */
  isSoundUnchosen: boolean;
  /** What may go wrong with its quality. */
  doubts: readonly EncodeDoubt[];
}

/** Checks everything the next broadcast needs. `localTime` converts the service's time to the page's clock. */
export function checkPreflight(
  { stream, lastBroadcast, service: remote }: Pick<StreamLive, 'stream' | 'lastBroadcast' | 'service'>,
  service: Equipment,
  localTime: (atMs: number) => number,
): Preflight {
  const profiles = stream.profiles ?? [];
  return {
    ...answer({ isSuspended: stream.suspended === true, isRemote: remote !== undefined }, service),
    checks: [
      ...(remote === undefined ? [] : [{ name: 'Service', severity: 'good', text: `${remote.name} answers` } as const]),
      checkFfmpeg(service),
      ...(service.ffmpeg.kind === 'missing' ? [] : [checkEncoder(service)]),
      {
        name: 'Renditions',
        severity: undefined,
        text: listRenditionNames(profiles, ', '),
      },
      ...(remote === undefined ? checkOwn(service, lastBroadcast, localTime) : checkRemoteAudience(remote)),
    ],
  };
}

/** The checks for streams on this computer only. */
function checkOwn(
  service: OwnAddress,
  lastBroadcast: StreamLive['lastBroadcast'],
  localTime: (atMs: number) => number,
): PreflightCheck[] {
  const audience = checkAudience(service);
  return [
    // Go live may choose another region, which has viewers of its own.
    service.regionOrigins.length === 0 ? audience : { ...audience, name: 'Who can watch in this region' },
    ...(service.secrets === 'memory'
      ? [{ name: 'Stream key', severity: 'warn', text: 'Changes when Tallylight restarts' } as const]
      : []),
    checkLast(lastBroadcast, localTime),
  ];
}

function checkRemoteAudience({ pair }: NonNullable<StreamLive['service']>): PreflightCheck[] {
  return pair === undefined ? [] : [checkAudience({ playbackBaseUrl: pair.playback })];
}

function answer(
  { isSuspended, isRemote }: { isSuspended: boolean; isRemote: boolean },
  {
    ffmpeg,
    encoders,
    source: {
      fault,
      away: [away],
      isSoundUnchosen,
      doubts,
    },
  }: Pick<Equipment, 'ffmpeg' | 'encoders' | 'source'>,
): Pick<Preflight, 'severity' | 'title' | 'sentence'> {
  if (isSuspended) return { severity: 'warn', title: 'Suspended', sentence: 'Resume the stream to go live.' };
  if (ffmpeg.kind === 'missing') {
    const needs = isRemote ? 'Go live needs ffmpeg.' : 'Go live and renditions need ffmpeg.';
    const sentence = ffmpeg.reason.code === 'searching' ? `${needs} Tallylight is looking for it.` : needs;
    return { severity: 'warn', title: 'Ready for OBS only', sentence };
  }
  if (encoders !== undefined && encoders.used === undefined) {
    return {
      severity: 'bad',
      title: 'No encoder works here',
      sentence: 'Settings says why. OBS can still stream to Tallylight.',
    };
  }
  if (fault) return { severity: 'warn', ...unready[fault] };
  if (away) return { severity: 'warn', ...describeAwayPart(away, { isOnAir: false }) };
  if (isSoundUnchosen) {
    return {
      severity: 'warn',
      title: 'No sound is chosen',
      sentence: 'Viewers would hear nothing. Add a sound if they should.',
    };
  }
  const doubt = doubts.find(({ code }) => code === 'upload-too-small' || code === 'cores-too-few');
  if (doubt) return { severity: 'warn', title: 'Viewers may miss frames', sentence: describeDoubt(doubt) };
  return { severity: 'good', title: 'Ready to go live' };
}

function checkFfmpeg({ ffmpeg }: Pick<ServiceInfo, 'ffmpeg'>): PreflightCheck {
  if (ffmpeg.kind === 'missing') return { name: 'ffmpeg', severity: 'warn', text: nameMissingFfmpeg(ffmpeg.reason) };
  return { name: 'ffmpeg', severity: 'good', text: `Found, ${ffmpeg.version}` };
}

function checkEncoder({ encoders }: Pick<ServiceInfo, 'encoders'>): PreflightCheck {
  const name = 'Encoder';
  if (encoders === undefined) return { name, severity: undefined, text: 'Testing' };
  if (encoders.used === undefined) return { name, severity: 'bad', text: 'None works' };
  return { name, severity: 'good', text: `${nameEncoder(encoders.used)} works` };
}

function checkAudience({
  playbackBaseUrl,
  isOnAllAddresses,
}: Pick<ServiceInfo, 'playbackBaseUrl' | 'isOnAllAddresses'>): PreflightCheck {
  const name = 'Who can watch';
  if (!isLoopbackUrl(playbackBaseUrl)) {
    return { name, severity: undefined, text: `Everyone who can reach ${new URL(playbackBaseUrl).hostname}` };
  }
  return { name, severity: undefined, text: isOnAllAddresses ? 'Everyone who can reach this computer' : 'This computer only' };
}

function checkLast(last: StreamLive['lastBroadcast'], localTime: (atMs: number) => number): PreflightCheck {
  const name = 'Last broadcast';
  if (last === undefined) return { name, severity: undefined, text: 'None yet' };
  const when = formatDayAndTime(localTime(last.startedAt));
  return {
    name,
    severity: last.severity === 'good' ? undefined : last.severity,
    text: `${when}, ${formatOnAir(last)}. ${endWords[last.reason]}.`,
  };
}
