import { spawn } from 'node:child_process';
import { killChild } from '../../src/service/lib/kill-child.ts';
import { hashDecoded, probeFrames } from './ffmpeg.ts';

/** The user nobody, on any Linux: VLC refuses to run as root. */
const nobody = 65_534;

/** VLC's playback: when each picture is shown, its SHA-1, and when each piece of audio is heard; in seconds from the beginning. */
export interface VlcPlay {
  shownSeconds: number[];
  pictures: string[];
  heardSeconds: number[];
}

/**
 * Plays a stream with VLC to its end, with its highest or its lowest variant.
 *
 * The decoded media is re-encoded losslessly and read from stdout, so VLC waits for no clock. The tester's home folder
 * is left alone.
 */
export async function playWithVlc(url: string, variant: 'highest' | 'lowest' = 'highest'): Promise<VlcPlay> {
  const sout = '#transcode{vcodec=FFV1,acodec=s16l}:std{access=file,mux=mkv,dst=-}';
  const args = ['-I', 'dummy', '--ignore-config', '--adaptive-logic', variant, '--sout', sout, url, 'vlc://quit'];
  const child = spawn('vlc', args, {
    env: { ...process.env, HOME: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(process.getuid?.() === 0 && { uid: nobody, gid: nobody }),
  });
  // Concurrent tests have no hooks of their own: a hanging player is ended with the file.
  const kill = () => void killChild(child, 'SIGKILL');
  process.once('exit', kill);
  const output: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => output.push(bytes));
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  process.off('exit', kill);
  const decoded = Buffer.concat(output);
  const [{ video, audio }, pictures] = await Promise.all([probeFrames('-', decoded), hashDecoded(decoded)]);
  return { shownSeconds: video, pictures, heardSeconds: audio };
}
