import type { Server, ServerResponse } from 'node:http';
import type { HttpBounds } from '../config.ts';
import { countTakenBytes } from '../tls/tls-door.ts';
import { startInTurn } from './in-turn.ts';

/** How often answers are checked. */
const sweepMs = 500;

/**
 * Closes connections whose client does not read: nothing of an answer was read for `writeTimeoutMs`, or it is not complete after
 * `answerTimeoutMs`. Slow readers are waited for, and so are requests that the service has not answered yet.
 */
export function endUnreadAnswers(
  server: Server,
  { writeTimeoutMs, answerTimeoutMs }: Pick<HttpBounds, 'writeTimeoutMs' | 'answerTimeoutMs'>,
): void {
  const answers = new Set<ServerResponse>();
  /** When the client started to read each answer. */
  const startedAt = new WeakMap<ServerResponse, number>();
  let timer: NodeJS.Timeout | undefined;

  const sweep = () => {
    const now = performance.now();
    for (const answer of answers) {
      const { socket } = answer;
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
    startInTurn(answer, () => {
      answers.add(answer);
      answer.once('close', () => answers.delete(answer));
      timer ??= setInterval(sweep, sweepMs).unref();
    });
  });
  server.once('close', () => clearInterval(timer));
}

/**
 * A socket's own timeout counts every byte that the operating system accepts of a long write; nothing else reveals that progress. Over
 * TLS it counts only complete writes, so the bytes are counted below it.
 */
function watchProgress(answer: ServerResponse, writeTimeoutMs: number): void {
  const { socket } = answer;
  let takenBytes: number | undefined;
  answer.setTimeout(writeTimeoutMs, () => {
    const nowTakenBytes = socket ? countTakenBytes(socket) : undefined;
    if (nowTakenBytes === undefined || nowTakenBytes === takenBytes) {
      socket?.destroy();
      return;
    }
    takenBytes = nowTakenBytes;
    socket?.setTimeout(writeTimeoutMs);
  });
  answer.once('finish', () => {
    // If another answer follows, Node keeps this timeout; otherwise Node's own timeout applies.
    if (socket?.timeout === writeTimeoutMs) socket.setTimeout(0);
  });
}
