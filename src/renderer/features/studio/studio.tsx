import type { ReactNode } from 'react';
import { isHeld } from '../../../shared/model/live.ts';
import type { ServiceInfo, StreamLive } from '../../../shared/model/views.ts';
import { monitorPlaybackBase } from '../../client/playback-base.ts';
import { useAnnouncedState } from '../../hooks/use-announced-state.ts';
import { useClockOffset } from '../../hooks/use-clock-offset.ts';
import { useDocumentTitle } from '../../hooks/use-document-title.ts';
import { useFocusOnArrival } from '../../hooks/use-focus-on-arrival.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import { describeAir, isBroadcasting, isSentFromHere, nameForTitle, noContact } from '../../status/air-status.ts';
import type { MonitorSlot } from '../../store/monitor-slot.ts';
import { BroadcastFacts } from './broadcast-facts.tsx';
import { BroadcastTrouble } from './broadcast-trouble.tsx';
import { ConnectionValues } from './connection-values.tsx';
import { EncoderSteps } from './encoder-steps.tsx';
import { HealthPanel } from './health-panel.tsx';
import { LostCard } from './lost-card.tsx';
import { RefusalNotices, useOffAirNews } from './refusal-notices.tsx';
import { SessionList } from './session-list.tsx';
import { SoundMeter } from './sound-meter.tsx';
import { SourceChoice } from './source-choice.tsx';
import { StopDialog } from './stop-dialog.tsx';
import styles from './studio.module.css';
import { StudioBar } from './studio-bar.tsx';
import { TroubleLine } from './trouble-line.tsx';
import { useBroadcast } from './use-broadcast.ts';

interface StudioProps {
  live: StreamLive;
  service: ServiceInfo;
  renderMonitor: (slot: MonitorSlot) => ReactNode;
}

/** One stream: whether it is on air, what viewers see, and where the trouble is. */
export function Studio({ live, service, renderMonitor }: StudioProps) {
  const { stream, oneClick } = live;
  const isSuspended = stream.suspended === true;
  const lostContactMs = useLostContact();
  const status = lostContactMs === undefined ? describeAir(stream) : noContact;
  const isRunning = isBroadcasting(stream.air, oneClick);
  const clockOffsetMs = useClockOffset();
  const playlist = `${stream.playbackId}/index.m3u8`;
  const playbackUrl = `${service.playbackBaseUrl}/${playlist}`;
  const broadcast = useBroadcast(live, service);
  const offAirNews = useOffAirNews({ live, clockOffsetMs, broadcast });
  useDocumentTitle(`${nameForTitle(status)} — ${stream.name}`);
  useAnnouncedState(status, live.verdict, stream.name);
  useFocusOnArrival();

  return (
    <>
      <StudioBar
        live={live}
        status={status}
        lostContactMs={lostContactMs}
        clockOffsetMs={clockOffsetMs}
        broadcast={broadcast}
      />
      <main className={styles.screen} id="main" tabIndex={-1}>
        <div className={styles.columns}>
          <div className={styles.stage} data-shows-steps={(!isRunning && broadcast.choice.kind === 'encoder') || undefined}>
            <LostCard lost={live.lost} clockOffsetMs={clockOffsetMs} broadcast={broadcast} />
            <RefusalNotices live={live} clockOffsetMs={clockOffsetMs} broadcast={broadcast} />
            <BroadcastTrouble live={live} clockOffsetMs={clockOffsetMs} broadcast={broadcast} service={service} />
            <div className={styles.watch}>
              {renderMonitor({
                streamId: stream.id,
                playbackUrl: `${monitorPlaybackBase(window, service.localPlaybackBaseUrl)}/${playlist}`,
                air: stream.air,
                isSuspended,
                offAirNews,
                isRetrying: oneClick.kind === 'retrying',
                meters: live.meters,
                renditions: live.renditions,
                latency: live.latency,
              })}
              {isMetered(live) ? <SoundMeter streamId={stream.id} channels={live.meters?.audioChannels ?? 2} /> : null}
            </div>
            <TroubleLine verdict={lostContactMs === undefined ? live.verdict : undefined} />
            <section className={styles.setup} aria-label="Set-up">
              {isRunning ? (
                <BroadcastFacts live={live} />
              ) : (
                <SourceChoice
                  broadcast={broadcast}
                  ffmpeg={service.ffmpeg}
                  encoderSteps={<EncoderSteps stream={stream} ingestUrl={service.ingestBaseUrl} isHeld={isHeld(live.hold)} />}
                />
              )}
              <ConnectionValues
                streamId={stream.id}
                ingestUrl={isRunning || broadcast.choice.kind !== 'encoder' ? service.ingestBaseUrl : undefined}
                playbackUrl={playbackUrl}
                local={
                  service.localIngestBaseUrl === service.ingestBaseUrl
                    ? undefined
                    : { ingestUrl: service.localIngestBaseUrl, playbackUrl: `${service.localPlaybackBaseUrl}/${playlist}` }
                }
              />
            </section>
          </div>
          <HealthPanel
            live={live}
            service={service}
            status={status}
            lostContactMs={lostContactMs}
            clockOffsetMs={clockOffsetMs}
          />
          <div className={styles.sessions}>
            <SessionList
              streamId={stream.id}
              changeKey={`${live.session?.id ?? ''} ${stream.air.kind}`}
              clockOffsetMs={clockOffsetMs}
              current={live.session}
              last={live.lastBroadcast}
              air={status}
            />
          </div>
        </div>
      </main>
      <StopDialog streamName={stream.name} isOwn={isSentFromHere(oneClick)} broadcast={broadcast} />
    </>
  );
}

/** Whether viewers get sound, which can be measured. */
function isMetered({ stream: { air }, meters }: StreamLive): boolean {
  return air.kind === 'on-air' && meters?.audioCodec !== undefined;
}
