import { CirclePause, CloudOff, Tv } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AirState } from '../../../shared/model/live.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useStore } from '../../store/store-context.tsx';
import { describeHold } from './hold-sentence.ts';
import styles from './monitor.module.css';
import { MonitorControls } from './monitor-controls.tsx';
import type { PlayerView } from './player.ts';
import { usePlayer } from './use-player.ts';

interface MonitorProps {
  /** The public playback URL: what is watched here is what viewers get. */
  playbackUrl: string;
  air: AirState;
  isSuspended: boolean;
  /** How far the service's clock is ahead of the page's, in milliseconds. */
  clockOffsetMs: number;
  /** Whether a one-click broadcast is on its way to air. */
  isStarting: boolean;
}

/** The picture as viewers see it, or why there is none. */
export function Monitor({ playbackUrl, air, isSuspended, clockOffsetMs, isStarting }: MonitorProps) {
  const sessionId = air.kind === 'on-air' || air.kind === 'reconnecting' ? air.sessionId : undefined;
  const { video, canvas, view, jumpToLive } = usePlayer(playbackUrl, sessionId);
  const frame = useRef<HTMLElement>(null);
  const latencySeconds = useLatency(view, clockOffsetMs);
  const phase = view.phase.kind;
  const isOnAir = sessionId !== undefined;

  return (
    <section className={styles.monitor} ref={frame} aria-label="Monitor: what viewers see" data-state={phase}>
      <canvas className={styles.picture} ref={canvas} aria-hidden />
      <video
        className={styles.picture}
        ref={video}
        muted
        playsInline
        disablePictureInPicture
        aria-label="Live picture"
        data-covered={phase === 'opening' || undefined}
      />
      {isOnAir ? (
        <>
          <div className={styles.chips}>
            <span className={styles.chip}>What viewers see</span>
            {latencySeconds === undefined ? null : (
              <span className={styles.chip} data-latency>
                {latencySeconds.toFixed(1)} s behind you
              </span>
            )}
          </div>
          {phase === 'opening' ? (
            <Overlay title="Opening the stream" sentence="The picture comes with the next segment." isBusy />
          ) : null}
          {view.phase.kind === 'held' ? (
            <HeldOverlay reason={view.phase.reason} sinceMs={view.phase.sinceMs} air={air} clockOffsetMs={clockOffsetMs} />
          ) : null}
          <MonitorControls video={video} frame={frame} view={view} onJumpToLive={jumpToLive} />
        </>
      ) : (
        <IdleOverlay air={air} isSuspended={isSuspended} isStarting={isStarting} />
      )}
    </section>
  );
}

/** From ingest to this screen in seconds, told to the screen around the monitor too. */
function useLatency(view: PlayerView, clockOffsetMs: number): number | undefined {
  const { playback } = useStore();
  const latency = view.ingestedAtMs === undefined ? undefined : (Date.now() + clockOffsetMs - view.ingestedAtMs) / 1000;
  const isPlausible = latency !== undefined && latency >= 0 && latency < 600;
  const latencySeconds = isPlausible ? Math.round(latency * 10) / 10 : undefined;
  useEffect(() => {
    playback.set(latencySeconds === undefined ? {} : { latencySeconds });
  }, [playback, latencySeconds]);
  useEffect(() => () => playback.set({}), [playback]);
  return latencySeconds;
}

interface HeldProps {
  reason: Parameters<typeof describeHold>[0];
  sinceMs: number;
  air: AirState;
  clockOffsetMs: number;
}

function HeldOverlay({ reason, sinceMs, air, clockOffsetMs }: HeldProps) {
  const now = useNow(1_000);
  const words = describeHold(reason, (performance.now() - sinceMs) / 1000, air, now + clockOffsetMs);
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
