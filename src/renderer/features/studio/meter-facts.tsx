import { useSyncExternalStore } from 'react';
import { formatCount, formatKilobits } from '../../../shared/format-count.ts';
import type { Meters } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { formatAge } from '../../format/age.ts';
import { formatCodec } from '../../format/codec.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatDecimal, unknownValue } from '../../format/quantity.ts';
import { useNow } from '../../hooks/use-now.ts';
import { nameLatency } from '../../status/latency-name.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './meter-facts.module.css';

/** Past this age a measurement is old: it is greyed and says how old, in milliseconds. */
const staleMs = 5_000;

/** The numbers: what arrives, what plays, what was counted. Unknown is a dash, old is grey. */
export function MeterFacts({ live, clockOffsetMs }: { live: StreamLive; clockOffsetMs: number }) {
  const { playback } = useStore();
  const { latencySeconds } = useSyncExternalStore(playback.subscribe, playback.get);
  const now = useNow(200) + clockOffsetMs;
  const { meters, session, stream } = live;
  const isStale = meters !== undefined && (stream.air.kind !== 'on-air' || now - meters.measuredAt > staleMs);

  return (
    <div className={styles.meters} data-stale={isStale || undefined}>
      {isStale ? <p className={styles.age}>As last measured, {formatAge(meters.measuredAt, now)}</p> : null}
      <dl className={styles.large}>
        <Large name="Last seen" {...splitAge(stream.lastSeen, now)} />
        <Large
          name="Bitrate"
          value={meters?.bitrateBps === undefined ? undefined : formatKilobits(meters.bitrateBps)}
          unit="kbit/s"
        />
        <Large name="Frame rate" value={meters?.fps === undefined ? undefined : formatDecimal(meters.fps, 1)} unit="fps" />
        <Large name="Picture" value={meters?.height === undefined ? undefined : `${meters.width} × ${meters.height}`} unit="" />
        <Large name="Keyframe interval" value={meters?.keyframeIntervalSeconds?.toFixed(1)} unit="s" />
        <Large name="Latency" value={latencySeconds?.toFixed(1)} unit={`s ${nameLatency(live.latency)}`} />
      </dl>
      <dl className={styles.small}>
        <Small name="Video" value={meters?.videoCodec === undefined ? undefined : formatCodec(meters.videoCodec)} />
        <Small name="Audio" value={meters === undefined ? undefined : describeAudio(meters)} />
        <Small name="Encoder" value={meters?.encoder} />
        <Small
          name="Source segments"
          value={session && `${formatCount(session.sourceSegments)} · ${formatDuration(session.sourceSegmentsDuration)}`}
        />
        {(stream.profiles ?? []).length === 0 ? null : (
          <Small name="Transcoded segments" value={session && describeTranscoded(session, (stream.profiles ?? []).length)} />
        )}
      </dl>
    </div>
  );
}

/** An age as number and unit, as the large facts show them. */
function splitAge(lastSeenMs: number, now: number): { value: string; unit: string } {
  if (lastSeenMs === 0) return { value: 'never', unit: '' };
  const [, value = '', unit = ''] = /^(\S+)(?: (.+))?$/.exec(formatAge(lastSeenMs, now)) ?? [];
  return { value, unit };
}

/** How many came out against one per source segment and profile: a rendition's newest segment comes after the source's. */
function describeTranscoded(session: NonNullable<StreamLive['session']>, profiles: number): string {
  const { sourceSegments, transcodedSegments } = session;
  const isWhole = transcodedSegments === sourceSegments * profiles;
  return `${formatCount(transcodedSegments)} ${isWhole ? '=' : 'of'} ${formatCount(sourceSegments)} × ${profiles}`;
}

function describeAudio({ audioCodec, audioSampleRateHz, audioChannels }: Meters): string | undefined {
  if (audioCodec === undefined) return undefined;
  const rate = audioSampleRateHz === undefined ? undefined : `${formatDecimal(audioSampleRateHz / 1000, 1)} kHz`;
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

function Large({ name, value, unit }: { name: string; value: string | undefined; unit: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.value}>
        {value === undefined ? (
          unknownValue
        ) : (
          <>
            {value} <small>{unit}</small>
          </>
        )}
      </dd>
    </div>
  );
}

function Small({ name, value }: { name: string; value: string | undefined }) {
  return (
    <div className={styles.row}>
      <dt>{name}</dt>
      <dd title={value}>{value ?? unknownValue}</dd>
    </div>
  );
}
