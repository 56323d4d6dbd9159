import { spawn } from 'node:child_process';
import { probeFrames } from './ffmpeg.ts';

/** The user that is nobody, on any Linux: VLC refuses to run as root. */
const nobody = 65_534;

const codecs = {
  video: 'vcodec=h264,venc=x264{preset=ultrafast,bframes=0}',
  audio: 'acodec=s16l',
} as const;

/**
 * Plays a stream with VLC to its end, decodes its picture or its sound, and says when each frame is shown, in seconds.
 *
 * What was decoded is encoded anew and comes through standard output. The home folder of whoever tests is left alone.
 */
export async function playWithVlc(track: keyof typeof codecs, url: string): Promise<number[]> {
  const sout = `#transcode{${codecs[track]}}:std{access=file,mux=mkv,dst=-}`;
  const only = track === 'video' ? '--no-audio' : '--no-video';
  const child = spawn('vlc', ['-I', 'dummy', '--ignore-config', only, '--sout', sout, url, 'vlc://quit'], {
    env: { ...process.env, HOME: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes));
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return (await probeFrames('-', Buffer.concat(output)))[track];
}
