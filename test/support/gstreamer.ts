import { spawn } from 'node:child_process';
import { killChild } from '../../src/service/lib/kill-child.ts';

/** GStreamer's two players; each has its own HLS demuxer: `hlsdemux` and `hlsdemux2`. */
export const gstreamerPlayers = ['playbin', 'playbin3'] as const;

/** How GStreamer plays. */
export interface GstreamerOptions {
  connectionSpeedKbps?: number;
  /** Called when the first picture is shown, and when it ends without any. */
  onStart?: () => void;
}

/** The result of a playback in GStreamer. */
export interface GstreamerPlay {
  exitCode: number | null;
  /** When each picture is shown, in seconds. */
  shownSeconds: number[];
  /** The SHA-1 of each picture. */
  pictures: string[];
  /** Its warnings and errors. */
  troubles: string[];
}

/**
 * Plays a stream with GStreamer to its end, in real time; picks the variant that fits a connection of `connectionSpeedKbps`, or
 * the lowest one.
 *
 * There is neither screen nor loudspeaker: pictures are decoded and counted, audio is decoded and discarded, but both by the
 * clock, as for real outputs. Without it GStreamer 1.22 hangs: audio runs ahead of video as far as there is
 * media, and once the queue of pictures is full (5 s), no audio gets past it. `gst-launch` pauses to fill its queues and
 * resumes only when both have a frame.
 */
export async function playWithGstreamer(
  player: (typeof gstreamerPlayers)[number],
  url: string,
  { connectionSpeedKbps = 100_000, onStart = () => {} }: GstreamerOptions = {},
): Promise<GstreamerPlay> {
  const sinks = ['video-sink=checksumsink sync=true', 'audio-sink=fakesink sync=true'];
  const child = spawn('gst-launch-1.0', [player, `uri=${url}`, `connection-speed=${connectionSpeedKbps}`, ...sinks], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Concurrent tests have no hooks of their own: a hanging player is ended with the file.
  const kill = () => void killChild(child, 'SIGKILL');
  process.once('exit', kill);
  const play: GstreamerPlay = { exitCode: null, shownSeconds: [], pictures: [], troubles: [] };
  const readLine = (line: string) => {
    const [, hours, minutes, seconds, picture] = /(\d+):(\d\d):(\d\d\.\d{9}) ([0-9a-f]{40})$/.exec(line) ?? [];
    if (picture !== undefined) {
      play.shownSeconds.push(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
      play.pictures.push(picture);
      if (play.pictures.length === 1) onStart();
    }
    if (/^(WARNING|ERROR)/.test(line)) play.troubles.push(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) readLine(line);
    });
  }
  play.exitCode = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  process.off('exit', kill);
  onStart();
  return play;
}
