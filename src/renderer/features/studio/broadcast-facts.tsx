import type { PublishProtocol } from '../../../shared/model/live.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { isSentFromHere } from '../../../shared/sent-from-here.ts';
import { describeEncode, describeLowered } from '../../../shared/words/encode-words.ts';
import { formatRegion } from '../../../shared/words/region-name.ts';
import { unknownValue } from '../../format/quantity.ts';
import { isEndedHere } from '../../status/air-status.ts';
import { formatSentSize, listRenditionNames, summarizeLadder } from '../../status/rendition-status.ts';
import styles from './broadcast-facts.module.css';
import { ChangeSource } from './change-source-dialog.tsx';
import { describeSource } from './source-names.ts';

interface BroadcastFactsProps {
  live: StreamLive;
  /** Whether the service doesn't answer. */
  isUnheard: boolean;
}

/** What the running broadcast consists of; Health shows how it is doing. */
export function BroadcastFacts({ live, isUnheard }: BroadcastFactsProps) {
  const { oneClick } = live;
  const source = oneClick.kind === 'running' || oneClick.kind === 'retrying' ? oneClick.source : undefined;
  return (
    <dl className={styles.facts}>
      {describeBroadcastFacts(live, isUnheard).map(({ name, value, note }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd className={styles.value} dir="auto" title={value}>
            {value}
          </dd>
          <dd className={styles.note} title={note}>
            {note}
          </dd>
          {source !== undefined && name === 'Source' ? (
            <dd className={styles.change}>
              <ChangeSource streamId={live.stream.id} source={source} />
            </dd>
          ) : null}
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

/** How another program's media arrives, which only the computer that receives it knows. */
function describeArrival(protocol: PublishProtocol | undefined, service: StreamLive['service']): string {
  if (protocol !== undefined) return `over ${protocol}`;
  return service === undefined ? unknownValue : `sent to ${service.name}`;
}

function describeBroadcastFacts(
  { oneClick, meters, stream, renditions, service, region }: StreamLive,
  isUnheard: boolean,
): BroadcastFact[] {
  const profiles = stream.profiles ?? [];
  const ladder: BroadcastFact = {
    name: 'Renditions',
    value: listRenditionNames(profiles, ' · '),
    note:
      profiles.length === 0
        ? 'as sent'
        : service
          ? `made by ${service.name}`
          : summarizeLadder(renditions, stream.air, isUnheard) || 'none made yet',
  };
  // The region makes its own renditions, which can't be seen from here.
  const last =
    region === undefined || region.isOwn
      ? ladder
      : { name: 'Region', value: formatRegion(region.code), note: 'another computer' };
  if (!isSentFromHere(oneClick)) {
    if (isEndedHere(stream.air)) return [{ name: 'Source', value: 'Nothing', note: 'ended here' }, ladder];
    return [
      { name: 'Source', value: meters?.encoderName ?? 'Another program', note: describeArrival(meters?.protocol, service) },
      { name: 'Picture', value: formatSentSize(meters) ?? unknownValue, note: 'as sent' },
      ladder,
    ];
  }
  const { label, note } = describeSource(oneClick.source);
  const encode = describeEncode(oneClick);
  const lowered = oneClick.kind === 'running' ? describeLowered(oneClick) : undefined;
  return [
    { name: 'Source', value: label, note },
    { name: 'Quality', value: encode.picture ?? unknownValue, note: lowered ?? encode.note },
    last,
  ];
}
