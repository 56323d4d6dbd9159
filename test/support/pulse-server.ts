import { execFile, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endChild } from './end-child.ts';

const run = promisify(execFile);

/** A PulseAudio server of the test's own. */
export interface PulseServer extends AsyncDisposable {
  /** For the environment variable `PULSE_SERVER`. */
  address: string;
  /** Runs `pactl` with these words; returns its output. */
  control: (...words: string[]) => Promise<string>;
  /** Plays a tone into a sink until it is disposed; it plays when this resolves. Its peaks are at `peakDb` dBFS on both sides. */
  playTone: (sink: string, tone: { hz: number; peakDb: number }) => Promise<AsyncDisposable>;
}

/** Starts PulseAudio with the sink `speakers`, and a microphone `mic` that hears the sink `room`. */
export async function startPulseServer(): Promise<PulseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'pulse-'));
  const socket = join(folder, 'native');
  const address = `unix:${socket}`;
  const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, PULSE_SERVER: address };
  const sink = (name: string, description: string) =>
    `module-null-sink sink_name=${name} rate=48000 sink_properties=device.description=${description}`;
  const modules = [
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    ...[sink('speakers', 'Speakers'), sink('room', 'Room')],
    microphone,
  ];
  const words = [
    '-n',
    '--daemonize=no',
    '--exit-idle-time=-1',
    '--use-pid-file=no',
    ...modules.flatMap((module) => ['-L', module]),
  ];
  const server = spawn('pulseaudio', words, { stdio: 'ignore', env: { ...env, PULSE_SERVER: undefined } });
  const control = async (...command: string[]) => (await run('pactl', command, { env })).stdout;
  const answers = () =>
    control('info').then(
      () => true,
      () => false,
    );
  while (!(await answers())) await sleep(50);
  const players: AsyncDisposable[] = [];
  return {
    address,
    control,
    async playTone(sinkName, { hz, peakDb }) {
      // ffmpeg's sine has its peaks at −18.06 dBFS.
      const tone = `sine=frequency=${hz}:sample_rate=48000,volume=${peakDb + 18.06}dB,pan=stereo|c0=c0|c1=c0`;
      const player = spawn(
        'ffmpeg',
        ['-v', 'error', '-re', '-f', 'lavfi', '-i', tone, '-f', 'pulse', '-device', sinkName, 'Tone'],
        {
          stdio: 'ignore',
          env,
        },
      );
      const program = { [Symbol.asyncDispose]: () => endChild(player) };
      players.push(program);
      const plays = async () => (await control('list', 'sink-inputs')).includes(`application.process.id = "${player.pid}"`);
      while (!(await plays())) await sleep(50);
      return program;
    },
    async [Symbol.asyncDispose]() {
      for (const player of players) await player[Symbol.asyncDispose]();
      await endChild(server);
    },
  };
}

/** The module of the microphone: unloaded, it is unplugged. */
export const microphone =
  'module-remap-source source_name=mic master=room.monitor source_properties=device.description=Microphone';
