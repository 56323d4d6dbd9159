import type { Source } from '../src/shared/model/source.ts';
import { startPulseServer } from '../test/support/pulse-server.ts';
import { startX11Display } from '../test/support/x11-display.ts';
import { startChild } from './child.ts';
import type { ShowQuestion } from './processes/screen-show.ts';

const width = 1280;
const height = 720;
const sink = 'speakers';
const monitor = `${sink}.monitor`;

/** A computer's screen and system sound, for a host to capture. */
export interface ScreenStage extends AsyncDisposable {
  /** The environment variables with which a host captures them. */
  env: { DISPLAY: string; PULSE_SERVER: string };
  source: Source;
  /** PulseAudio's source with the system sound. */
  monitor: string;
}

/** Starts an X display of 1280 × 720 and a PulseAudio server, with a clock on the one and beeps on the other. */
export async function startScreenStage(): Promise<ScreenStage> {
  await using stack = new AsyncDisposableStack();
  const display = stack.use(await startX11Display(`${width}x${height}`));
  const pulse = stack.use(await startPulseServer());
  const show = stack.use(startChild('screen-show'));
  const pulseServer = pulse.address;
  await show.ask({ display: display.name, width, height, pulseServer, sink } satisfies ShowQuestion);
  const kept = stack.move();
  return {
    env: { DISPLAY: display.name, PULSE_SERVER: pulse.address },
    monitor,
    source: {
      picture: { main: { kind: 'screen', device: { id: display.name, name: 'Screen' } } },
      sound: {
        inputs: [{ of: { kind: 'system', device: { id: monitor, name: 'Speakers' } }, levelDb: 0, isMuted: false }],
        limits: false,
      },
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
