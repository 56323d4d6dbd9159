import { CirclePause, CloudOff, Tv } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { formatDuration } from '../../../shared/format-duration.ts';
import { isArriving } from '../../../shared/is-arriving.ts';
import { sourceRenditionName } from '../../../shared/model/profile.ts';
import chipStyles from '../../components/picture-chip.module.css';
import { popupLayer } from '../../components/popup-layer.ts';
import { useIsContactLost } from '../../hooks/use-lost-contact.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useRestingPointer } from '../../hooks/use-resting-pointer.ts';
import type { MonitorSlot } from '../../store/monitor-slot.ts';
import { useStore } from '../../store/store-context.tsx';
import { largePlayer } from './hls-settings.ts';
import { describeHold, describeIdle, type HoldFacts, type IdleWords } from './hold-sentence.ts';
import { LatencyChip } from './latency-chip.tsx';
import styles from './monitor.module.css';
import { MonitorControls, useFullScreen, useSound } from './monitor-controls.tsx';
import { Picture } from './picture.tsx';
import { listQualities, markUndecodable } from './qualities.ts';
import { measureBehind } from './timeline.ts';
import { useLatency } from './use-latency.ts';
import { usePlaybackWatch } from './use-playback-watch.ts';
import { usePlayer } from './use-player.ts';
import { Wall } from './wall.tsx';

/** The picture as viewers see it, or why there is none. */
export function Monitor({
  streamId,
  playbackUrl,
  air,
  isSuspended,
  isElsewhere,
  oneClick,
  clockAheadMs,
  isUnheard,
  offAirNews,
  whileHeard,
  meters,
  renditions,
  latency,
}: MonitorSlot) {
  const onAirId = air.kind === 'on-air' || air.kind === 'reconnecting' ? air.sessionId : undefined;
  // Without a URL, there is nothing to play yet.
  const sessionId = playbackUrl === undefined ? undefined : onAirId;
  const isContactLost = useIsContactLost(useStore().stream(streamId));
  const isLost = isContactLost || isUnheard;
  const made = listQualities(meters, renditions, air, isLost);
  const offered = made.flatMap(({ name }) => name ?? []);
  const { measured, onView } = useLatency(clockAheadMs);
  const arrives = isArriving(air);
  const { video, canvas, view, commands } = usePlayer({
    url: playbackUrl ?? '',
    sessionId,
    arrives,
    settings: largePlayer,
    offered,
    onView,
  });
  const qualities = markUndecodable(made, view.undecodable);
  const [chosenLabel, setChosenLabel] = useState<string>();
  const frame = useRef<HTMLElement>(null);
  const isFullScreen = useFullScreen(frame);
  const sound = useSound(video);
  const [isWallWanted, setWallWanted] = useState(false);
  // Behind the wall the large player plays on: it is heard, Health hears from it, and it says why nothing new plays.
  const isWallOpen = isWallWanted && sessionId !== undefined && qualities.length > 1;
  usePlaybackWatch({ streamId, sessionId, video, view, measured });
  const behindSeconds = view.timeline === undefined || view.isFollowing ? 0 : measureBehind(view.timeline);
  const phase = view.phase.kind;
  // By what plays, since Health's verdict may be about something else.
  const isSoundOnly = phase === 'playing' && view.heightPixels === undefined && meters?.videoCodec === undefined;
  const isOnAir = sessionId !== undefined;
  const isResting = useRestingPointer(frame);
  const choose = (name: string | undefined) => {
    setChosenLabel(qualities.find((quality) => quality.name === name)?.label);
    commands.setQuality(name);
  };
  const isLeftOut = chosenLabel !== undefined && qualities.every(({ label }) => label !== chosenLabel);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next broadcast may have other renditions
  useEffect(() => {
    if (isLeftOut) choose(undefined);
  }, [sessionId]);
  const held =
    view.phase.kind === 'held'
      ? { reason: view.phase.reason, sinceMs: view.phase.sinceMs, air, oneClick, isElsewhere, isLost: isContactLost, isUnheard }
      : undefined;
  const watchAlone = (name: string) => {
    choose(name);
    setWallWanted(false);
  };

  return (
    <section
      className={styles.monitor}
      ref={frame}
      aria-label="Monitor: what viewers see"
      data-state={phase}
      data-quiet={(phase === 'playing' && view.isFollowing && arrives && !isWallOpen) || undefined}
      data-resting={isResting || undefined}
    >
      <Picture video={video} canvas={canvas} label="Live picture" phase={phase} />
      {isOnAir ? (
        <>
          <div className={styles.chips}>
            <div className={styles.facts} hidden={isWallOpen}>
              <span className={chipStyles.chip} data-plain>
                What viewers see
              </span>
              {measured === undefined ? null : (
                <LatencyChip
                  measured={measured}
                  isRendition={view.playing !== undefined && view.playing !== sourceRenditionName}
                  latency={latency}
                  container={isFullScreen ? frame.current : popupLayer()}
                />
              )}
              {behindSeconds === 0 ? null : (
                <span className={chipStyles.chip}>{`${formatDuration(behindSeconds)} behind live`}</span>
              )}
            </div>
            {sound.isMuted ? null : whileHeard}
          </div>
          {phase === 'opening' ? (
            <Overlay title="Opening the stream" sentence="The picture appears in a moment." sign="busy" />
          ) : null}
          {isSoundOnly ? <Overlay title="Sound only" sentence="The encoder sends no video." sign="off" /> : null}
          {view.phase.kind === 'paused' && view.phase.isRefused && !isWallOpen ? (
            <Overlay title="Not playing" sentence="This browser blocks autoplay. Press Play." sign="pause" />
          ) : null}
          {held !== undefined && !isWallOpen ? <HeldOverlay {...held} /> : null}
          {isWallOpen && playbackUrl !== undefined ? (
            <Wall
              playbackUrl={playbackUrl}
              sessionId={sessionId}
              arrives={arrives}
              qualities={qualities}
              held={held === undefined ? null : <HeldLine {...held} />}
              onChoose={watchAlone}
            />
          ) : null}
          <MonitorControls
            video={video}
            frame={frame}
            isFullScreen={isFullScreen}
            sound={sound}
            view={view}
            commands={commands}
            qualities={qualities}
            chosenLabel={chosenLabel}
            onQuality={choose}
            isArriving={arrives}
            isWallOpen={isWallOpen}
            onWall={setWallWanted}
          />
        </>
      ) : (
        <IdleOverlay air={air} oneClick={oneClick} isSuspended={isSuspended} isLost={isLost} news={offAirNews} />
      )}
    </section>
  );
}

interface HeldProps extends Omit<HoldFacts, 'isWall'> {
  reason: Parameters<typeof describeHold>[0];
  sinceMs: number;
}

function useHoldWords({ reason, sinceMs, ...facts }: HeldProps, isWall: boolean) {
  useNow(1_000);
  return describeHold(reason, (performance.now() - sinceMs) / 1000, { ...facts, isWall });
}

/** The same above the tiles of the wall, whose captions it leaves readable. */
function HeldLine(held: HeldProps) {
  const { title, sentence } = useHoldWords(held, true);
  return (
    <p>
      <b>{`${title}.`}</b> <span>{sentence}</span>
    </p>
  );
}

function HeldOverlay(held: HeldProps) {
  const words = useHoldWords(held, false);
  return <Overlay title={words.title} sentence={words.sentence} sign="warn" />;
}

interface IdleProps extends Pick<MonitorSlot, 'air' | 'oneClick' | 'isSuspended'> {
  isLost: boolean;
  news: MonitorSlot['offAirNews'];
}

function IdleOverlay({ news, oneClick, ...facts }: IdleProps) {
  const words = describeIdle({ ...facts, isRetrying: oneClick === 'retrying' });
  return <Overlay {...words} {...(words.sign !== 'busy' && !facts.isLost && news)} />;
}

interface OverlayProps {
  title: string;
  sentence: string;
  sign?: IdleWords['sign'] | 'warn';
  /** The button that fixes it. */
  action?: ReactNode;
}

function Overlay({ title, sentence, sign, action }: OverlayProps) {
  return (
    <div className={styles.overlay} data-tone={sign === 'warn' ? sign : undefined}>
      {sign === 'busy' ? <span className={styles.spinner} aria-hidden /> : null}
      {sign === 'warn' ? <CloudOff aria-hidden size={28} strokeWidth={1.6} /> : null}
      {sign === 'off' ? <Tv aria-hidden size={32} strokeWidth={1.4} /> : null}
      {sign === 'pause' ? <CirclePause aria-hidden size={32} strokeWidth={1.4} /> : null}
      <p className={styles.title}>{title}</p>
      <p className={styles.sentence}>{sentence}</p>
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
