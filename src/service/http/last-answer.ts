import type { Duplex } from 'node:stream';

/** How long the client has to read the answer. Closing at once could lose it together with data still arriving. */
const graceMs = 1_000;

/**
 * Sends the last answer of a connection. A second later the connection is closed even if the client reads nothing, or keeps its own half
 * open. A server that has handed the connection over (an upgrade or a tunnel) doesn't close it, and would wait for it when it closes.
 */
export function sendLastAnswer(connection: Duplex, text: string, onSent?: () => void): void {
  connection.end(text, onSent);
  const timer = setTimeout(() => connection.destroy(), graceMs);
  connection.once('close', () => clearTimeout(timer));
}
