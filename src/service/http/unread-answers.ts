import type { Server, ServerResponse } from 'node:http';
import type { HttpBounds } from '../config.ts';

/** How often answers are looked at. */
const sweepMs = 500;

/**
 * Closes connections whose other side asks and does not read: when nothing of an answer has been taken for `writeTimeoutMs`, or it is
 * not whole after `answerTimeoutMs`. A slow reader is waited for, as is a request that the service itself has not answered yet.
 */
export function endUnreadAnswers(
  server: Server,
  { writeTimeoutMs, answerTimeoutMs }: Pick<HttpBounds, 'writeTimeoutMs' | 'answerTimeoutMs'>,
): void {
  const answers = new Set<ServerResponse>();
  /** Since when each is being taken. */
  const startedAt = new WeakMap<ServerResponse, number>();
  let timer: NodeJS.Timeout | undefined;

  const sweep = () => {
    const now = performance.now();
    for (const answer of answers) {
      const { socket } = answer;
      // One that waits for the answers before it has no socket yet.
      if (!socket || !answer.headersSent || answer.writableFinished) continue;
      const since = startedAt.get(answer);
      if (since === undefined) {
        startedAt.set(answer, now);
        watchProgress(answer, writeTimeoutMs);
      } else if (now - since > answerTimeoutMs) {
        socket.destroy();
      }
    }
    if (answers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  server.on('request', (_request, answer) => {
    answers.add(answer);
    answer.once('close', () => answers.delete(answer));
    timer ??= setInterval(sweep, sweepMs).unref();
  });
  server.once('close', () => clearInterval(timer));
}

/** A socket's own timeout counts whatever the operating system takes of a long write, which nothing else tells. */
function watchProgress(answer: ServerResponse, writeTimeoutMs: number): void {
  const { socket } = answer;
  answer.setTimeout(writeTimeoutMs, () => socket?.destroy());
  answer.once('finish', () => {
    // Where another answer follows Node leaves it as it is, and has its own timeout where none does.
    if (socket?.timeout === writeTimeoutMs) socket.setTimeout(0);
  });
}
