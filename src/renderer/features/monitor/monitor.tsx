import { CirclePause, CloudOff, Tv } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AirState, LatencyView, Meters, RenditionView } from '../../../shared/model/live.ts';
import { sourceRenditionName } from '../../../shared/model/profile.ts';
import { popupLayer } from '../../components/popup-layer.ts';
import { formatDuration } from '../../format/duration.ts';
import { useLostContact } from '../../hooks/use-lost-contact.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useStore } from '../../store/store-context.tsx';
import { hlsSettings } from './hls-settings.ts';
import { describeHold } from './hold-sentence.ts';
import { LatencyChip } from './latency-chip.tsx';
import { LatencyWindow, type MeasuredLatency } from './latency-window.ts';
import styles from './monitor.module.css';
import { MonitorControls, useFullScreen } from './monitor-controls.tsx';
import { Picture } from './picture.tsx';
import type { PlayerView } from './player.ts';
import { listQualities } from './qualities.ts';
import { measureBehind } from './timeline.ts';
import { usePlayer } from './use-player.ts';
import { useRestingPointer } from './use-resting-pointer.ts';
import { Wall } from './wall.tsx';

interface MonitorProps {
  /** The public playback URL: what is watched here is what viewers get. */
  playbackUrl: string;
  air: AirState;
  isSuspended: boolean;
  /** How far the service's clock is ahead of the page's, in milliseconds. */
  clockOffsetMs: number;
  /** Whether a one-click broadcast is on its way to air. */
  isStarting: boolean;
  meters: Meters | undefined;
  renditions: readonly RenditionView[];
  latency: LatencyView | undefined;
}

/** The picture as viewers see it, or why there is none. */
export function Monitor({
  playbackUrl,
  air,
  isSuspended,
  clockOffsetMs,
  isStarting,
  meters,
  renditions,
  latency,
}: MonitorProps) {
  const sessionId = air.kind === 'on-air' || air.kind === 'reconnecting' ? air.sessionId : undefined;
  const qualities = listQualities(meters, renditions, air.kind === 'reconnecting');
  const offered = qualities.flatMap(({ name }) => name ?? []);
  const { video, canvas, view, commands } = usePlayer({ url: playbackUrl, sessionId, settings: hlsSettings, offered });
  const frame = useRef<HTMLElement>(null);
  const isFullScreen = useFullScreen(frame);
  const [isWallWanted, setWallWanted] = useState(false);
  const isWallOpen = isWallWanted && sessionId !== undefined && qualities.length > 1;
  const measured = useLatency(view, clockOffsetMs);
  const behindSeconds = view.timeline === undefined || view.isFollowing ? 0 : measureBehind(view.timeline);
  const phase = view.phase.kind;
  const isOnAir = sessionId !== undefined;
  const isArriving = air.kind === 'on-air';
  const isResting = useRestingPointer(frame);
  const watchAlone = (name: string) => {
    commands.setQuality(name);
    setWallWanted(false);
  };

  return (
    <section
      className={styles.monitor}
      ref={frame}
      aria-label="Monitor: what viewers see"
      data-state={phase}
      data-quiet={(phase === 'playing' && view.isFollowing && isArriving && !isWallOpen) || undefined}
      data-resting={isResting || undefined}
    >
      <Picture video={video} canvas={canvas} label="Live picture" phase={phase} />
      {isOnAir ? (
        <>
          <div className={styles.chips}>
            <span className={styles.chip}>What viewers see</span>
            {measured === undefined ? null : (
              <LatencyChip
                measured={measured}
                isRendition={view.playing !== undefined && view.playing !== sourceRenditionName}
                latency={latency}
                container={isFullScreen ? frame.current : popupLayer()}
              />
            )}
            {behindSeconds === 0 ? null : <span className={styles.chip}>{formatDuration(behindSeconds)} behind live</span>}
          </div>
          {phase === 'opening' ? (
            <Overlay title="Opening the stream" sentence="The picture comes with the next segment." isBusy />
          ) : null}
          {view.phase.kind === 'held' ? (
            <HeldOverlay reason={view.phase.reason} sinceMs={view.phase.sinceMs} air={air} clockOffsetMs={clockOffsetMs} />
          ) : null}
          {isWallOpen ? (
            <Wall playbackUrl={playbackUrl} sessionId={sessionId} qualities={qualities} onChoose={watchAlone} />
          ) : null}
          <MonitorControls
            video={video}
            frame={frame}
            isFullScreen={isFullScreen}
            view={view}
            commands={commands}
            qualities={qualities}
            isArriving={isArriving}
            isWallOpen={isWallOpen}
            onWall={setWallWanted}
          />
        </>
      ) : (
        <IdleOverlay air={air} isSuspended={isSuspended} isStarting={isStarting} />
      )}
    </section>
  );
}

/** A picture that stands still for this long has no latency to tell, in milliseconds. */
const staleLatencyMs = 2_000;

/** From capture or ingest to this screen, told to the screen around the monitor too. */
function useLatency({ dateMs, bufferMs }: PlayerView, clockOffsetMs: number): MeasuredLatency | undefined {
  const { playback } = useStore();
  const window = useRef(new LatencyWindow());
  const [measured, setMeasured] = useState<MeasuredLatency>();
  // What the player says is true now: news of the service alone is no reason to reckon with it again later.
  const newestOffsetMs = useRef(clockOffsetMs);
  useLayoutEffect(() => {
    newestOffsetMs.current = clockOffsetMs;
  }, [clockOffsetMs]);
  useLayoutEffect(() => {
    const look = { atMs: Date.now(), bufferMs, clockOffsetMs: newestOffsetMs.current };
    setMeasured(dateMs === undefined ? undefined : window.current.add({ ...look, dateMs }));
  }, [dateMs, bufferMs]);
  useEffect(() => {
    if (dateMs === undefined) return;
    const timer = setTimeout(() => setMeasured(undefined), staleLatencyMs);
    return () => clearTimeout(timer);
  }, [dateMs]);
  const latencySeconds = measured && Math.round(measured.totalMs / 100) / 10;
  useEffect(() => {
    playback.set(latencySeconds === undefined ? {} : { latencySeconds });
  }, [playback, latencySeconds]);
  useEffect(() => () => playback.set({}), [playback]);
  return measured;
}

interface HeldProps {
  reason: Parameters<typeof describeHold>[0];
  sinceMs: number;
  air: AirState;
  clockOffsetMs: number;
}

function HeldOverlay({ reason, sinceMs, air, clockOffsetMs }: HeldProps) {
  const now = useNow(1_000);
  const isLost = useLostContact() !== undefined;
  const words = describeHold(reason, (performance.now() - sinceMs) / 1000, { air, isLost, nowMs: now + clockOffsetMs });
  return <Overlay title={words.title} sentence={words.sentence} tone="warn" />;
}

function IdleOverlay({ air, isSuspended, isStarting }: { air: AirState; isSuspended: boolean; isStarting: boolean }) {
  if (isSuspended)
    return <Overlay title="Suspended" sentence="This stream refuses every encoder until it is resumed." icon="pause" />;
  if (air.kind === 'connecting' || isStarting) {
    return <Overlay title="Connecting" sentence="The picture comes with the first segment." isBusy />;
  }
  return <Overlay title="Off air" sentence="What viewers see appears here as soon as you go live." icon="off" />;
}

interface OverlayProps {
  title: string;
  sentence: string;
  tone?: 'warn';
  icon?: 'off' | 'pause';
  isBusy?: boolean;
}

function Overlay({ title, sentence, tone, icon, isBusy = false }: OverlayProps) {
  return (
    <div className={styles.overlay} data-tone={tone}>
      {isBusy ? <span className={styles.spinner} aria-hidden /> : null}
      {tone === 'warn' ? <CloudOff aria-hidden size={28} strokeWidth={1.6} /> : null}
      {icon === 'off' ? <Tv aria-hidden size={32} strokeWidth={1.4} /> : null}
      {icon === 'pause' ? <CirclePause aria-hidden size={32} strokeWidth={1.4} /> : null}
      <p className={styles.title}>{title}</p>
      <p className={styles.sentence}>{sentence}</p>
    </div>
  );
}
