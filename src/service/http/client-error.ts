import type { Socket } from 'node:net';
import { sendLastAnswer } from './last-answer.ts';
import { findReasonPhrase } from './reason-phrase.ts';

/** Answers a request that could not be parsed, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = describe(error.code);
  const body = JSON.stringify({ errors: [sentence] });
  const head = [
    `HTTP/1.1 ${status} ${findReasonPhrase(status)}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  sendLastAnswer(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
  socket.once('end', () => socket.destroySoon());
}

function describe(code: string | undefined): [status: number, sentence: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time.'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The request headers are too long.'];
    default:
      return [400, 'The request is not valid HTTP.'];
  }
}
