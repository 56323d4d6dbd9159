import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { endChild } from './end-child.ts';

/** An X11 display of the test's own, and its windows. */
export interface X11Display extends AsyncDisposable {
  /** For the environment variable `DISPLAY`. */
  name: string;
  /** Shows a window of this name with ffmpeg's moving test picture, until it is disposed. */
  play: (title: string, size: { width: number; height: number }) => AsyncDisposable;
  /** Ends it, with all its windows. */
  end: () => Promise<void>;
  /** Starts it again after {@link end}, with the same name, and empty. */
  restart: () => Promise<void>;
}

/** The number of a display that restarts: no other display takes it meanwhile, since all others get the lowest free number. */
const heldNumber = 4_000 + (process.pid % 50_000);

/** Starts Xvfb on a free display. Only local programs reach it. A process has one that `restarts` at most. */
export async function startX11Display(size = '640x360', { restarts = false } = {}): Promise<X11Display> {
  const words = ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'];
  const start = async (...more: string[]) => {
    const started = spawn('Xvfb', [...more, ...words], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
    const said = text(started.stderr as Readable);
    const failed = once(started, 'exit').then(async () => {
      throw new Error(`Xvfb has no display: ${await said}`);
    });
    const [number] = (await Promise.race([once(started.stdio[3] as Readable, 'data'), failed])) as [Buffer];
    return { started, name: `:${number.toString().trim()}` };
  };
  let { started: server, name } = await start(...(restarts ? [`:${heldNumber}`] : []));
  const programs: AsyncDisposable[] = [];
  const end = async () => {
    for (const program of programs) await program[Symbol.asyncDispose]();
    await endChild(server);
  };
  return {
    name,
    play(title, { width, height }) {
      const args = [
        ...[
          '-v',
          'error',
          '-window_title',
          title,
          '-noborder',
          '-left',
          '0',
          '-top',
          '0',
          '-x',
          String(width),
          '-y',
          String(height),
        ],
        ...['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=10`],
      ];
      const env = { ...process.env, DISPLAY: name, SDL_VIDEODRIVER: 'x11', SDL_AUDIODRIVER: 'dummy' };
      const player = spawn('ffplay', args, { stdio: 'ignore', env });
      const program = { [Symbol.asyncDispose]: () => endChild(player) };
      programs.push(program);
      return program;
    },
    end,
    async restart() {
      ({ started: server } = await start(name));
    },
    [Symbol.asyncDispose]: end,
  };
}
