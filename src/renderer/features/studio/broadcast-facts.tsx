import type { StreamLive } from '../../../shared/model/views.ts';
import { unknownValue } from '../../format/quantity.ts';
import { summarizeLadder } from '../../status/rendition-status.ts';
import styles from './broadcast-facts.module.css';
import { fileName, qualityNames, sourceNames } from './sources.ts';

/** What the running broadcast consists of; Health shows how it is doing. */
export function BroadcastFacts({ live }: { live: StreamLive }) {
  return (
    <dl className={styles.facts}>
      {describeBroadcastFacts(live).map(({ name, value, note }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd className={styles.value} title={value}>
            <bdi>{value}</bdi>
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
    name: 'Renditions',
    value: profiles.length === 0 ? 'Source only' : profiles.map((profile) => profile.name).join(' · '),
    note: profiles.length === 0 ? 'as sent' : summarizeLadder(renditions) || 'none made yet',
  };
  if (!('source' in oneClick) || oneClick.kind === 'failed') {
    const size = meters?.height === undefined ? unknownValue : `${meters.width} × ${meters.height}`;
    return [
      { name: 'Source', value: meters?.encoderName ?? 'Another program', note: 'over RTMP' },
      { name: 'Picture', value: size, note: 'as sent' },
      ladder,
    ];
  }
  const { source } = oneClick;
  const quality = qualityNames[oneClick.quality];
  return [
    {
      name: 'Source',
      value: source.kind === 'file' ? fileName(source.path) : sourceNames[source.kind].label,
      note: sourceNames[source.kind].note,
    },
    { name: 'Quality', value: quality.label, note: quality.note },
    ladder,
  ];
}
