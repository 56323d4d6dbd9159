import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** How long whoever sent it may take to read the answer: closed at once, the answer could be lost with what is still on its way. */
const graceMs = 1_000;

/** Answers what never became a request, and closes the connection for good. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = describe(error.code);
  const body = JSON.stringify({ errors: [sentence] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // It would stay half open for as long as the other side likes.
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroySoon());
}

function describe(code: string | undefined): [status: number, sentence: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The head of the request is too long.'];
    default:
      return [400, 'The request is not valid HTTP.'];
  }
}
