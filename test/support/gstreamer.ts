import { spawn } from 'node:child_process';

/** GStreamer's two players; each has an HLS demuxer of its own: `hlsdemux`, and `hlsdemux2`. */
export const gstreamerPlayers = ['playbin', 'playbin3'] as const;

/** What GStreamer played. */
export interface GstreamerPlay {
  exitCode: number | null;
  /** When each picture is shown, in seconds. */
  shownSeconds: number[];
  /** The SHA-1 of each picture. */
  pictures: string[];
  /** What it warned of, and its errors. */
  troubles: string[];
}

/**
 * Plays a stream with GStreamer, as fast as it comes, to its end or until there are this many pictures.
 *
 * There is neither screen nor loudspeaker: pictures are decoded and counted, sound is decoded and thrown away.
 */
export async function playWithGstreamer(
  player: (typeof gstreamerPlayers)[number],
  url: string,
  { maxPictures = Number.POSITIVE_INFINITY }: { maxPictures?: number } = {},
): Promise<GstreamerPlay> {
  const sinks = ['video-sink=checksumsink', 'audio-sink=fakesink'];
  const child = spawn('gst-launch-1.0', [player, `uri=${url}`, ...sinks], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const play: GstreamerPlay = { exitCode: null, shownSeconds: [], pictures: [], troubles: [] };
  const readLine = (line: string) => {
    const [, hours, minutes, seconds, picture] = /(\d+):(\d\d):(\d\d\.\d{9}) ([0-9a-f]{40})$/.exec(line) ?? [];
    if (picture !== undefined && play.shownSeconds.length < maxPictures) {
      play.shownSeconds.push(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
      play.pictures.push(picture);
    }
    if (play.shownSeconds.length === maxPictures) child.kill('SIGKILL');
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
  return play;
}
