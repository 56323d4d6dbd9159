/**
 * The reason phrase of a status code, like `Not Found` (RFC 9110 §15).
 *
 * From Node's table, but not by an `import`, which reads every export of `node:http`: one of them loads Node's fetch and WebSocket, which
 * nothing needs at the start.
 */
export function findReasonPhrase(status: number): string | undefined {
  return process.getBuiltinModule('node:http').STATUS_CODES[status];
}
