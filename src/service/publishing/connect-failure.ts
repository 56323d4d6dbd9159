import type { ConnectFailure } from '../../shared/model/ingest-failure.ts';
import { formatAddress } from '../lib/host-address.ts';
import { hasOwnNetwork } from '../lib/own-addresses.ts';
import { codeOf } from '../lib/read-error.ts';

/**
 * Why no TCP connection was opened, from Node's error.
 *
 * If a name has several addresses, each failed with its own error (`AggregateError`). The most telling one counts: a computer
 * without IPv6 fails with `ENETUNREACH` there, but the IPv4 error is the one that matters.
 *
 * Without a network, macOS and Windows report that no name exists (`ENOTFOUND`). Linux reports that no name server answers.
 *
 * @param server.wasFound whether this name was found before, so that it can't be mistyped
 */
export function explainConnectError(
  error: unknown,
  { host, port, wasFound = false }: { host: string; port: number; wasFound?: boolean },
): ConnectFailure {
  const codes = error instanceof AggregateError ? error.errors.map(codeOf) : [codeOf(error)];
  const address = formatAddress(host, port);
  if (codes.includes('ECONNREFUSED')) return { code: 'connection-refused', address };
  if (codes.includes('ENOTFOUND') && !wasFound && hasOwnNetwork()) return { code: 'name-not-found', host };
  if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN')) return { code: 'lookup-failed', host };
  const reason = codes.find((code) => code === 'ETIMEDOUT') ?? codes.at(-1) ?? 'UNKNOWN';
  return { code: 'unreachable', address, reason };
}
