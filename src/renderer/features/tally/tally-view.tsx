import { useRef } from 'react';
import type { StreamView } from '../../../shared/model/views.ts';
import { AirAlerts } from '../../components/air-alerts.tsx';
import { AirMark } from '../../components/air-mark.tsx';
import { Button } from '../../components/button.tsx';
import { SessionEnded } from '../../components/session-ended.tsx';
import unseenStyles from '../../components/unseen.module.css';
import { useConnectionState } from '../../hooks/use-connection-state.ts';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useRemoteServices } from '../../hooks/use-remote-services.ts';
import { useRestingPointer } from '../../hooks/use-resting-pointer.ts';
import { goTo } from '../../hooks/use-route.ts';
import { useServiceNow } from '../../hooks/use-service-now.ts';
import { useStreamsAround } from '../../hooks/use-service-streams.ts';
import { useShortcut } from '../../hooks/use-shortcut.ts';
import { inService } from '../../routing/route.ts';
import {
  type AirStatus,
  describeAir,
  formatAway,
  formatOnAirTime,
  isCounted,
  nameForTitle,
  noContact,
  notFound,
} from '../../status/air-status.ts';
import { type AirSummary, describeUnheard, type StreamsAround, summarizeAir } from '../../status/summarize-air.ts';
import { useStore } from '../../store/store-context.tsx';
import styles from './tally-view.module.css';
import { useScreenToItself } from './use-screen-to-itself.ts';

/** A window filled with colour, state and time: of one stream, or of the most urgent one of a service and of this computer. */
export function TallyView({ streamId, serviceId }: { streamId: string | undefined; serviceId: string | undefined }) {
  const around = useStreamsAround(serviceId);
  const services = useRemoteServices();
  const isLost = useIsContactLost(useStore().streams);
  const leave = () => goTo(streamId === undefined ? inService('streams', serviceId) : { kind: 'studio', streamId });
  // Here, because the stream shown changes: its state may not be known yet, or it is no longer the most urgent one.
  useScreenToItself(leave);
  const shown = streamId === undefined ? summarizeAir(around) : findOne(around, streamId);
  const unheard = shown.kind === 'stream' && shown.isPartial ? describeUnheard(around, serviceId, services) : undefined;
  return (
    <>
      <AirAlerts shown={shown} />
      {shown.kind === 'stream' ? (
        <StreamLight key={shown.stream.id} stream={shown.stream} isListLost={isLost} unheard={unheard} onLeave={leave} />
      ) : (
        <Light
          name={undefined}
          status={shown.kind === 'status' ? shown.status : undefined}
          isLost={isLost}
          unheard={undefined}
          onLeave={leave}
        />
      )}
    </>
  );
}

function findOne(around: StreamsAround, streamId: string): AirSummary {
  const stream = around.streams.find(({ id }) => id === streamId);
  if (stream !== undefined) return { kind: 'stream', stream, isPartial: false };
  if (around.isComplete && !around.isUnheard) return { kind: 'status', status: notFound };
  return summarizeAir({ ...around, streams: [] });
}

interface StreamLightProps extends Pick<LightProps, 'unheard' | 'onLeave'> {
  stream: StreamView;
  /** Whether the list that contains `stream` is from before contact was lost. */
  isListLost: boolean;
}

function StreamLight({ stream, isListLost, ...rest }: StreamLightProps) {
  const isLost = useIsContactLost(useStore().stream(stream.id)) || isListLost;
  return <Light name={stream.name} status={describeAir(stream)} isLost={isLost} {...rest} />;
}

interface LightProps {
  /** The stream's name; absent without a stream. */
  name: string | undefined;
  /** Its last known state; undefined until one is known. */
  status: AirStatus | undefined;
  isLost: boolean;
  /** A note on other streams whose state is unknown, if any. */
  unheard: string | undefined;
  onLeave: () => void;
}

function Light({ name, status: heard, isLost, unheard, onLeave }: LightProps) {
  const frame = useRef<HTMLElement>(null);
  const status = isLost ? noContact : heard;
  const isRefused = useConnectionState().kind === 'refused';
  const isResting = useRestingPointer(frame);
  const now = useServiceNow(250, status !== undefined && isCounted(status));
  const partly = isLost ? undefined : unheard;
  const isFramed = status !== undefined && (partly !== undefined || status.isWarned === true);
  const title = status === undefined ? 'Tally view · Tallylight' : `${nameForTitle(status)} — ${name ?? 'Tallylight'}`;
  useDocumentTitle(title, partly === undefined ? status?.tone : noContact.tone);
  useShortcut({ key: 'Escape', withCommand: false }, onLeave);
  useShortcut({ key: 't', withCommand: false }, onLeave);
  const time = status && (formatAway(status, now) ?? formatOnAirTime(status, now));

  return (
    <main
      className={styles.light}
      ref={frame}
      id="main"
      tabIndex={-1}
      data-tone={status?.tone ?? 'calm'}
      aria-busy={status === undefined || undefined}
      data-warned={isFramed || undefined}
      data-resting={isResting || undefined}
    >
      <h1 className={unseenStyles.unseen}>{name ?? 'Tallylight'}: tally view</h1>
      {/* No paragraphs: their readers may want space below each, of twice the size of these letters. */}
      <div className={styles.state} data-length={status && lengthOf(status.word)}>
        {status === undefined ? null : <AirMark status={status} size="huge" />}
      </div>
      <div className={styles.time} role="timer">
        {time}
      </div>
      {partly === undefined ? null : <p className={styles.said}>{partly}</p>}
      {isRefused ? (
        <p className={styles.said}>
          <SessionEnded />
        </p>
      ) : null}
      <span className={styles.leave}>
        <Button onClick={onLeave}>Exit tally view</Button>
      </span>
    </main>
  );
}

/** The length class of a word: longer words are set smaller, to fit the width of the window. */
function lengthOf({ length }: AirStatus['word']): 'long' | 'longest' | undefined {
  if (length < 10) return undefined;
  return length > 12 ? 'longest' : 'long';
}
