import { formatCount } from '../../../shared/format-count.ts';
import { formatDuration } from '../../../shared/format-duration.ts';
import type { Meters } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { withUnit } from '../../../shared/with-unit.ts';
import { formatAge } from '../../format/age.ts';
import { formatCodec } from '../../format/codec.ts';
import { formatDecimal } from '../../format/quantity.ts';
import { formatSentSize } from '../../status/rendition-status.ts';
import { currentMeters } from './current-meters.ts';

/** One exact number under *Details*. Without a `value` it is unknown. */
export interface Detail {
  name: string;
  value: string | undefined;
}

/** Everything measured and counted about a broadcast. */
export function listDetails(live: StreamLive, now: number): Detail[] {
  const { stream } = live;
  // Until the broadcast has begun, these counters are the previous one's.
  const hasBegun = stream.air.kind !== 'connecting';
  const session = hasBegun ? live.session : undefined;
  const meters = currentMeters(live);
  const profiles = stream.profiles ?? [];
  return [
    { name: 'Last seen', value: hasBegun ? describeLastSeen(stream.lastSeen, now) : undefined },
    { name: 'Picture', value: formatSentSize(meters) },
    { name: 'Frame rate', value: meters?.fps === undefined ? undefined : withUnit(formatDecimal(meters.fps, 1), 'fps') },
    { name: 'Keyframe interval', value: formatSeconds(meters?.keyframeIntervalSeconds) },
    { name: 'Video', value: meters?.videoCodec === undefined ? undefined : formatCodec(meters.videoCodec) },
    { name: 'Audio', value: meters === undefined ? undefined : describeAudio(meters) },
    { name: 'Encoder', value: meters?.encoder },
    { name: 'Time to first picture', value: hasBegun ? formatSeconds(meters?.firstSegmentSeconds) : undefined },
    {
      name: 'Source segments',
      value: session && `${formatCount(session.sourceSegments)}, ${formatDuration(session.sourceSegmentsDuration)} in total`,
    },
    ...(profiles.length === 0
      ? []
      : [{ name: 'Rendition segments', value: session && describeTranscoded(session, profiles.length) }]),
  ];
}

function describeLastSeen(lastSeen: number, now: number): string {
  return lastSeen === 0 ? 'never' : formatAge(lastSeen, now);
}

function formatSeconds(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : withUnit(seconds.toFixed(1), 's');
}

/**
 * How many renditions' segments came out, of those expected: one per rendition for each source segment. The newest take a
 * moment.
 */
function describeTranscoded(
  { sourceSegments, transcodedSegments }: NonNullable<StreamLive['session']>,
  profiles: number,
): string {
  return `${formatCount(transcodedSegments)} of ${formatCount(sourceSegments * profiles)}`;
}

function describeAudio({ audioCodec, audioSampleRateHz, audioChannels }: Meters): string | undefined {
  if (audioCodec === undefined) return undefined;
  const rate = audioSampleRateHz === undefined ? undefined : withUnit(formatDecimal(audioSampleRateHz / 1000, 1), 'kHz');
  const channels =
    audioChannels === undefined
      ? undefined
      : audioChannels === 1
        ? 'mono'
        : audioChannels === 2
          ? 'stereo'
          : `${audioChannels} channels`;
  return [formatCodec(audioCodec), rate, channels].filter(Boolean).join(' ');
}
