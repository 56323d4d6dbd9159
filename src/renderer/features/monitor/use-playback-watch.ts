import { type RefObject, useEffect } from 'react';
import { cutText } from '../../../shared/cut-text.ts';
import type { PlaybackReport } from '../../../shared/model/live.ts';
import { pageId } from '../../client/page-id.ts';
import { findKept } from '../../hooks/use-kept.ts';
import { useLatest } from '../../hooks/use-latest.ts';
import type { LiveStore } from '../../store/live-store.ts';
import { useStore } from '../../store/store-context.tsx';
import type { MeasuredLatency } from './latency-window.ts';
import { PlaybackMeter, type PlaybackSums } from './playback-meter.ts';
import type { PlayerView } from './player-view.ts';
import { measureBehind, type Timeline } from './timeline.ts';

/** How often to look at the picture, in milliseconds. */
const lookMs = 250;
/** How often to report to the service. */
const reportMs = 1_000;

interface PlaybackWatch {
  streamId: string;
  /** The broadcast on air; without one nothing is watched. */
  sessionId: string | undefined;
  video: RefObject<HTMLVideoElement | null>;
  view: PlayerView;
  measured: MeasuredLatency | undefined;
}

/**
 * Watches the monitor's picture as a viewer does, and reports to the service and the surrounding screen.
 *
 * A hidden page reports nothing: browsers suspend its timers and video, so its measurements would be wrong.
 */
export function usePlaybackWatch({ streamId, sessionId, video, view, measured }: PlaybackWatch): void {
  const { connection, playback, kept } = useStore();
  const newest = useLatest({ view, measured });

  useEffect(() => {
    if (sessionId === undefined) return;
    const meter = resumeMeter(kept, streamId, sessionId);
    let sums: PlaybackSums | undefined;
    let isTelling = false;
    const look = () => {
      const element = video.current;
      if (element === null || document.hidden) return;
      const { totalVideoFrames, droppedVideoFrames } = element.getVideoPlaybackQuality();
      sums = meter.add({
        atMs: performance.now(),
        positionSeconds: element.currentTime,
        isMeant: newest.current.view.phase.kind !== 'paused',
        isSeeking: element.seeking,
        totalFrames: totalVideoFrames,
        droppedFrames: droppedVideoFrames,
      });
      const behind = newest.current.measured;
      playback.set({
        stalls: sums.stalls,
        stalledSeconds: round(sums.stalledSeconds, 1),
        recentStalls: sums.recentStalls,
        recentStalledSeconds: round(sums.recentStalledSeconds, 1),
        ...(behind !== undefined && { latencySeconds: round(behind.totalMs / 1000, 1) }),
      });
    };
    const send = async (report: PlaybackReport) => {
      isTelling = true;
      // The connection banner already reports an unreachable service.
      await connection.client.playback.report({ streamId, pageId, report }).catch(() => {});
      isTelling = false;
    };
    const tell = () => {
      if (sums === undefined || document.hidden || isTelling) return;
      void send(describePlayback(sums, newest.current.view, newest.current.measured));
    };
    const sayGone = () => {
      if (sums !== undefined) void send(gone);
    };
    const onVisibility = () => {
      if (!document.hidden) return;
      sayGone();
      sums = undefined;
      meter.rest();
    };
    const looking = setInterval(look, lookMs);
    const telling = setInterval(tell, reportMs);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(looking);
      clearInterval(telling);
      document.removeEventListener('visibilitychange', onVisibility);
      sayGone();
      playback.set({});
      meter.rest();
    };
  }, [connection, playback, kept, streamId, sessionId, video, newest]);
}

/** The broadcast's meter: it keeps its counts when Studio is closed and opened again. */
function resumeMeter(kept: LiveStore['kept'], streamId: string, sessionId: string): PlaybackMeter {
  const key = `playback ${streamId}`;
  const meter = findKept<PlaybackMeter>(kept, key, sessionId) ?? new PlaybackMeter();
  kept.set(key, { stamp: sessionId, value: meter });
  return meter;
}

const gone: PlaybackReport = { state: 'closed', stalls: 0, stalledSeconds: 0, droppedFrames: 0, decodedFrames: 0 };

/**
 * The report to the service: the totals, and the state of the picture.
 *
 * @param atMs the time of the report, by the clock of the view's phase
 */
export function describePlayback(
  sums: PlaybackSums,
  { playing, phase, timeline, isFollowing }: PlayerView,
  measured: MeasuredLatency | undefined,
  atMs = performance.now(),
): PlaybackReport {
  // No frame has moved since it turned out that this page can't decode them.
  const hasFailed = phase.kind === 'held' && phase.reason === 'undecodable';
  const { stalls, fps, decodedFrames, droppedFrames } = sums;
  // The meter forgets a time in which the page was blocked, but the monitor says since when its picture is frozen.
  const saidSeconds = phase.kind === 'held' ? (atMs - phase.sinceMs) / 1000 : 0;
  const holdSeconds = sums.holdSeconds === undefined ? undefined : Math.max(sums.holdSeconds, saidSeconds);
  return {
    state: hasFailed ? 'failed' : sums.state,
    stalls,
    stalledSeconds: round(sums.stalledSeconds, 2),
    decodedFrames,
    droppedFrames,
    ...(holdSeconds !== undefined && { holdSeconds: round(holdSeconds, 1) }),
    ...(fps !== undefined && { fps: round(fps, 1) }),
    ...(measured !== undefined && { behindSeconds: round(measured.totalMs / 1000, 1) }),
    ...(timeline !== undefined && isFollowing && { lateSeconds: round(measureLate(timeline), 1) }),
    ...(playing !== undefined && { quality: cutText(playing, 200) }),
  };
}

/** A player isn't late while it is within its slack: beyond that it jumps to live. */
function measureLate(timeline: Timeline): number {
  return Math.max(0, measureBehind(timeline) - timeline.slackSeconds);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
