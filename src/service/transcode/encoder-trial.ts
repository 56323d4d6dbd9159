import type { EncoderFault, EncoderName, EncoderTrial } from '../../shared/model/encoder.ts';
import { readUnits } from '../flv/unit-reader.ts';
import { type RunOptions, runToEnd, wasKilled } from '../lib/run-to-end.ts';
import { isKeyframe } from '../media/media-unit.ts';
import { encoderArgs } from './encoder-args.ts';

/** How many of stderr's last lines are kept for Settings. */
const stderrLines = 20;
const frames = 10;
/** The frame that is forced to be a keyframe; the first one is anyway. */
const forcedFrame = 5;

/** The argv of a trial: encodes a few frames as a ladder does, to FLV on stdout. */
function trialArgs(encoder: EncoderName): string[] {
  const { device, pixels, codec } = encoderArgs[encoder];
  return [
    ...['-hide_banner', '-loglevel', 'warning', '-nostats', '-nostdin', ...device],
    ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-frames:v', String(frames), '-vf', pixels],
    ...codec({
      width: 640,
      height: 360,
      fps: 25,
      bitrateBps: 1_000_000,
      maxBitrateBps: 1_000_000,
      isForWeakDecoders: true,
      gopFrames: undefined,
      looksAhead: false,
    }),
    ...['-force_key_frames', `expr:eq(n,${forcedFrame})`, '-flvflags', 'no_duration_filesize', '-f', 'flv', 'pipe:1'],
  ];
}

/** Makes an encoder encode a few frames. It works if they come in time, with a keyframe where one was forced and nowhere else. */
export async function tryEncoder(
  ffmpegPath: string,
  encoder: EncoderName,
  { timeoutMs, signal }: Omit<RunOptions, 'input'>,
): Promise<EncoderTrial> {
  const { error, stdout, stderr } = await runToEnd(ffmpegPath, trialArgs(encoder), { timeoutMs, signal });
  const fault = error === null ? findFault(stdout) : explain(error, stderr, timeoutMs);
  if (fault === undefined) return { encoder, works: true };
  const lines = stderr.toString('utf8').split(/\r?\n/);
  const kept = lines.filter((line) => line !== '').slice(-stderrLines);
  return { encoder, works: false, fault, stderr: kept };
}

function findFault(output: Buffer): EncoderFault | undefined {
  const made = readUnits(output).filter(({ type }) => type === 'video');
  const keyframes = [...made.keys()].filter((index) => made[index] && isKeyframe(made[index]));
  if (made.length !== frames) return { code: 'too-few-pictures', made: made.length, asked: frames };
  return keyframes.join() === `0,${forcedFrame}` ? undefined : { code: 'no-forced-keyframes' };
}

function explain(error: Error, stderr: Buffer, timeoutMs: number): EncoderFault {
  if (wasKilled(error)) return { code: 'too-late', withinMs: timeoutMs };
  if (/Unknown encoder|Unrecognized option/.test(stderr.toString('utf8'))) return { code: 'not-built-in' };
  return { code: 'unusable' };
}
