import { formatCount } from '../../../shared/format-count.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { formatDecimal, unknownValue } from '../../format/quantity.ts';
import { broadcastSince } from '../../status/air-status.ts';
import { summarizeLadder } from '../../status/rendition-status.ts';
import styles from './broadcast-facts.module.css';
import { fileName, qualityNames, sourceNames } from './sources.ts';

/** What the running broadcast is made of. */
export function BroadcastFacts({ live }: { live: StreamLive }) {
  const facts = describeBroadcastFacts(live);
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, note }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd className={styles.value} title={value}>
            {value}
          </dd>
          <dd className={styles.note} title={note}>
            {note}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface BroadcastFact {
  name: string;
  value: string;
  note: string;
}

function describeBroadcastFacts({ oneClick, meters, stream, renditions }: StreamLive): BroadcastFact[] {
  const profiles = stream.profiles ?? [];
  const ladder: BroadcastFact = {
    name: 'Ladder',
    value: profiles.length === 0 ? 'Source only' : profiles.map((profile) => profile.name).join(' · '),
    note: profiles.length === 0 ? 'as it is sent' : summarizeLadder(renditions) || 'none made yet',
  };
  // Before its own first segment, what is known is of the broadcast before.
  const first = broadcastSince(stream.air) === undefined ? undefined : meters?.firstSegmentSeconds;
  const start: BroadcastFact = {
    name: 'First segment',
    value: first === undefined ? unknownValue : `after ${first.toFixed(1)} s`,
    note: 'from connecting to playable',
  };
  if (!('source' in oneClick) || oneClick.kind === 'failed') {
    const size = meters?.height === undefined ? unknownValue : `${meters.width} × ${meters.height}`;
    return [
      { name: 'Source', value: 'Another program', note: 'over RTMP' },
      { name: 'Encoder', value: meters?.encoder ?? unknownValue, note: size },
      ladder,
      start,
    ];
  }
  const { source } = oneClick;
  const running = oneClick.kind === 'running' ? oneClick : undefined;
  const speed = running?.encodeSpeed === undefined ? undefined : `${formatDecimal(running.encodeSpeed, 2)} × real time`;
  const fps = running?.encodeFps === undefined ? undefined : `${running.encodeFps.toFixed(1)} fps`;
  const quality = qualityNames[oneClick.quality];
  return [
    {
      name: 'Source',
      value: source.kind === 'file' ? fileName(source.path) : sourceNames[source.kind].label,
      note: sourceNames[source.kind].note,
    },
    {
      name: 'Encoder',
      value: `${quality.label} · ${quality.note}`,
      note: [fps, speed].filter(Boolean).join(' · ') || unknownValue,
    },
    ladder,
    running === undefined
      ? start
      : {
          name: 'Upload',
          value: `queue ${formatCount(running.queueMs)} ms`,
          note: `${formatCount(running.droppedFrames)} dropped frames (network)`,
        },
  ];
}
