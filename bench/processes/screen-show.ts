import { spawn } from 'node:child_process';
import { killChild } from '../../src/service/lib/kill-child.ts';
import { findClockBits } from '../../test/support/picture-clock.ts';
import { openXPainter, type Rectangle } from '../../test/support/x-painter.ts';
import { answerParent } from './answer.ts';

/**
 * The show on the captured computer: its screen has the wall clock, 60 times a second, with a moving bar, and a beep begins with each
 * second of the wall clock.
 */
export interface ShowQuestion {
  display: string;
  width: number;
  height: number;
  pulseServer: string;
  sink: string;
}

const picturesPerSecond = 60;
const sampleRate = 48_000;
const beepHz = 1_000;
const beepMs = 40;
/** How far ahead sound is written: longer than any stall of a computer with two busy cores. */
const aheadMs = 1_000;

answerParent(async (question: ShowQuestion): Promise<undefined> => {
  await paint(question);
  play(question);
  return undefined;
});

async function paint({ display, width, height }: ShowQuestion): Promise<void> {
  const painter = await openXPainter(display);
  const rowHeight = Math.ceil(height * 0.05);
  const square = width / 40;
  const fill = (color: number, x: number, y: number, rectangle: Pick<Rectangle, 'width' | 'height'>) =>
    painter.fill(color, [{ x, y, ...rectangle }]);
  fill(0x204060, 0, 0, { width, height });
  let barAt = 0;
  setInterval(() => {
    const bar = { width: 16, height: height - 2 * rowHeight };
    fill(0x204060, barAt, rowHeight, bar);
    barAt = (barAt + 8) % (width - 16);
    fill(0xe0c040, barAt, rowHeight, bar);
    const bits = findClockBits(Date.now());
    const squares = (isWhite: boolean) =>
      bits.flatMap((bit, index) => (bit === isWhite ? [{ x: index * square, y: 0, width: square, height: rowHeight }] : []));
    painter.fill(0x000000, squares(false));
    painter.fill(0xffffff, squares(true));
  }, 1000 / picturesPerSecond);
}

function play({ pulseServer, sink }: ShowQuestion): void {
  const format = ['--raw', '--format=s16le', `--rate=${sampleRate}`, '--channels=1', '--latency-msec=1000'];
  const pacat = spawn('pacat', ['--playback', `--device=${sink}`, ...format], {
    env: { ...process.env, PULSE_SERVER: pulseServer },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  process.once('exit', () => killChild(pacat, 'SIGKILL'));
  // Sample n is heard at `startMs` and n samples later.
  const startMs = Date.now() + aheadMs;
  let written = 0;
  setInterval(() => {
    const due = Math.floor(((Date.now() + 2 * aheadMs - startMs) * sampleRate) / 1000);
    if (due <= written) return;
    const bytes = Buffer.alloc((due - written) * 2);
    for (let index = 0; index < due - written; index += 1) {
      const atMs = (startMs + ((written + index) * 1000) / sampleRate) % 1000;
      if (atMs < beepMs) bytes.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * beepHz * atMs) / 1000)), index * 2);
    }
    pacat.stdin.write(bytes);
    written = due;
  }, 20);
}
