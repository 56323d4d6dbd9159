import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AwayPart } from '../../../shared/model/capture.ts';
import { isHeld } from '../../../shared/model/live.ts';
import type { ServiceInfo, StreamLive, StreamView } from '../../../shared/model/views.ts';
import { isSentFromHere } from '../../../shared/sent-from-here.ts';
import { seenFromPage } from '../../client/seen-from-page.ts';
import { useAnnouncedState } from '../../hooks/use-announced-state.ts';
import { useClockOffset } from '../../hooks/use-clock-offset.ts';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';
import { useFocusOnArrival } from '../../hooks/use-focus-on-arrival.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import { broadcastSince, describeAir, isBroadcasting, isEndedHere, nameForTitle, noContact } from '../../status/air-status.ts';
import { isElsewhere } from '../../status/is-elsewhere.ts';
import type { Refused } from '../../store/live-value.ts';
import type { MonitorSlot } from '../../store/monitor-slot.ts';
import { useStore } from '../../store/store-context.tsx';
import { BroadcastFacts } from './broadcast-facts.tsx';
import { BroadcastTrouble } from './broadcast-trouble.tsx';
import { ConnectionValues } from './connection-values.tsx';
import { EchoNote } from './echo-note.tsx';
import { EncodeChoiceFields } from './encode-choice.tsx';
import { EncoderSteps } from './encoder-steps.tsx';
import { HealthPanel } from './health-panel.tsx';
import { LostCard } from './lost-card.tsx';
import { listPlayedSounds } from './monitor-echo.ts';
import { RefusalNotices, useOffAirNews } from './refusal-notices.tsx';
import { RegionOffer } from './region-offer.tsx';
import { SessionList } from './session-list.tsx';
import { SourcePanel } from './source-panel.tsx';
import { StopDialog } from './stop-dialog.tsx';
import { StreamSoundMeter } from './stream-sound-meter.tsx';
import { findStreamUrls } from './stream-urls.ts';
import styles from './studio.module.css';
import { StudioBar } from './studio-bar.tsx';
import { useAnnouncedRefusals } from './use-announced-refusals.ts';
import { type Broadcast, useBroadcast } from './use-broadcast.ts';
import { VerdictLine } from './verdict-line.tsx';

/** The parts of Studio that other features provide. */
export interface StudioSlots {
  renderMonitor: (slot: MonitorSlot) => ReactNode;
  /** The dialog that edits a stream, or nothing. */
  renderEdit: (stream: StreamView | undefined, onClose: () => void) => ReactNode;
}

interface StudioProps extends StudioSlots {
  live: StreamLive;
  /** Why the service can't tell the stream's current state, if it can't. */
  refused: Refused | undefined;
  service: ServiceInfo;
}

/** One stream: whether it is on air, what viewers see, and where the trouble is. */
export function Studio({ live, refused, service: known, renderMonitor, renderEdit }: StudioProps) {
  const { stream, oneClick } = live;
  const service = seenFromPage(window, known);
  const isSuspended = stream.suspended === true;
  const lostServiceMs = useLostContact(useStore().stream(stream.id));
  const lostContactMs = lostServiceMs ?? refused?.sinceMs;
  const status = lostContactMs === undefined ? describeAir(stream) : noContact;
  const isRunning = isBroadcasting(stream.air, oneClick);
  const clockOffsetMs = useClockOffset();
  const urls = findStreamUrls(window, live, service);
  const broadcast = useBroadcast(live, service);
  const playedSounds = listPlayedSounds(oneClick);
  const offAirNews = useOffAirNews({ live, clockOffsetMs, broadcast });
  useDocumentTitle(`${nameForTitle(status)} — ${stream.name}`, status.tone);
  useAnnouncedRefusals(live);
  useAnnouncedState(lostServiceMs === undefined ? status : undefined, refused === undefined ? live : undefined, stream);
  useFocusOnArrival();
  const [isEdited, setEdited] = useState(false);
  const [away, setAway] = useState<readonly AwayPart[]>([]);
  const screen = useRef<HTMLElement>(null);
  useEffect(() => {
    // Go live is pressed with the panel scrolled down; now the monitor matters.
    if (isRunning) screen.current?.scrollTo({ top: 0 });
  }, [isRunning]);

  return (
    <>
      <StudioBar
        live={live}
        status={status}
        lostContactMs={lostContactMs}
        clockOffsetMs={clockOffsetMs}
        broadcast={broadcast}
        onEdit={() => setEdited(true)}
      />
      {renderEdit(isEdited ? stream : undefined, () => setEdited(false))}
      <main ref={screen} className={styles.screen} id="main" tabIndex={-1}>
        <div className={styles.columns}>
          <div className={styles.stage} data-prepares={!isRunning || undefined}>
            <LostCard lost={live.lost} clockOffsetMs={clockOffsetMs} broadcast={broadcast} />
            <RefusalNotices live={live} clockOffsetMs={clockOffsetMs} broadcast={broadcast} />
            <RegionOffer live={live} />
            <BroadcastTrouble live={live} clockOffsetMs={clockOffsetMs} broadcast={broadcast} service={service} />
            <div className={styles.watch}>
              {renderMonitor({
                streamId: stream.id,
                playbackUrl: urls?.monitor,
                air: stream.air,
                isSuspended,
                isElsewhere: isElsewhere(live),
                oneClick: oneClick.kind,
                clockAheadMs: live.service?.clockAheadMs ?? 0,
                isUnheard: stream.isUnheard === true || refused !== undefined,
                offAirNews,
                whileHeard: playedSounds.length === 0 ? null : <EchoNote sounds={playedSounds} />,
                meters: live.meters,
                renditions: live.renditions,
                latency: live.latency,
              })}
              {isMetered(live) ? <StreamSoundMeter streamId={stream.id} channels={live.meters?.audioChannels ?? 2} /> : null}
            </div>
            <VerdictLine verdict={lostContactMs === undefined ? live.verdict : undefined} />
            <section className={styles.setup} aria-label="Set-up">
              {isRunning ? (
                <BroadcastFacts live={live} isUnheard={lostContactMs !== undefined} />
              ) : (
                <OwnChoice live={live} service={service} broadcast={broadcast} ingestUrl={urls?.ingest} onAway={setAway} />
              )}
              {urls === undefined ? null : (
                <ConnectionValues
                  streamId={stream.id}
                  ingestUrl={isRunning || broadcast.choice.way !== 'encoder' ? urls.ingest : undefined}
                  isElsewhere={isElsewhere(live)}
                  playbackUrl={urls.playback}
                  local={urls.local}
                />
              )}
            </section>
          </div>
          <HealthPanel
            live={live}
            service={service}
            status={status}
            lostContactMs={lostContactMs}
            refusal={lostServiceMs === undefined ? refused?.failure.sentence : undefined}
            clockOffsetMs={clockOffsetMs}
            source={{
              fault: broadcast.fault,
              away,
              isSoundUnchosen: broadcast.isSoundUnchosen,
              doubts: broadcast.encode.preview?.doubts ?? [],
            }}
          />
          <div className={styles.sessions}>
            <SessionList
              streamId={stream.id}
              changeKey={`${live.session?.id ?? ''} ${stream.air.kind}`}
              clockOffsetMs={clockOffsetMs}
              current={live.session}
              air={status}
              onAirSince={broadcastSince(stream.air)}
            />
          </div>
        </div>
      </main>
      <StopDialog
        streamName={stream.name}
        isOwn={isSentFromHere(oneClick) || isEndedHere(stream.air)}
        service={live.service?.name}
        broadcast={broadcast}
      />
    </>
  );
}

/** Chooses what to go live with, while off air. */
function OwnChoice({
  live,
  service,
  broadcast,
  ingestUrl,
  onAway,
}: Pick<StudioProps, 'live' | 'service'> & {
  broadcast: Broadcast;
  ingestUrl: string | undefined;
  onAway: (away: readonly AwayPart[]) => void;
}) {
  const { choice, setChoice } = broadcast;
  const isOneClickMissing = service.ffmpeg.kind === 'missing';
  return (
    <SourcePanel
      draft={choice.source}
      onDraft={(source) => setChoice({ way: 'own', source })}
      missing={broadcast.missing}
      fileFault={broadcast.fileFault}
      fileInput={broadcast.fileInput}
      onAway={onAway}
      isDisabled={isOneClickMissing}
      encoder={{
        isChosen: choice.way === 'encoder',
        onChosen: (isChosen) => setChoice({ ...choice, way: isChosen ? 'encoder' : 'own' }),
        steps:
          ingestUrl === undefined ? (
            <p role="status">Waiting for the service to say which region is nearest. Its ingest URL then appears here.</p>
          ) : (
            <EncoderSteps
              stream={live.stream}
              ingestUrl={ingestUrl}
              isElsewhere={isElsewhere(live)}
              isHeld={isHeld(live.hold)}
            />
          ),
      }}
    >
      <EncodeChoiceFields encode={broadcast.encode} isDisabled={isOneClickMissing} />
    </SourcePanel>
  );
}

/** Whether viewers get sound that can be measured: sound that arrives here, or one click's sound sent elsewhere, which it always has. */
function isMetered({ stream: { air }, oneClick, meters }: StreamLive): boolean {
  return air.kind === 'on-air' && (meters?.audioCodec !== undefined || oneClick.kind === 'running');
}
