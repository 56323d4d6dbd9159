import { hostname } from 'node:os';
import { listOwnAddresses } from '../service/lib/own-addresses.ts';
import { isEveryAddress } from '../service/regions/base-urls.ts';

/** The values that a `Host` header is checked against. */
interface Binding {
  /** The address or name given with `--host`. */
  host: string;
  /** The names in the URLs of this computer's region. They belong to its owner, so nobody else can rebind them. */
  names?: readonly string[];
  port: number;
  /** Whether the request came over TLS, which decides the default port. */
  isEncrypted?: boolean;
  /** The system's name of this computer, with or without a domain. */
  computerName?: string;
}

/**
 * Whether a `Host` header names this computer and port, as a browser sends it for our own URL.
 *
 * A rebound DNS name reaches our socket with a foreign `Host` and is refused here. Loopback is always ours, and so are `names` and the
 * host of `--host`; for `0.0.0.0` and `::`, that is every address and name of this computer.
 */
export function isAllowedHost(header: string | undefined, binding: Binding): boolean {
  const { host, port, isEncrypted = false, computerName = hostname() } = binding;
  if (header === undefined) return false;
  const parsed = parseHostHeader(header);
  if (!parsed || (parsed.port ?? (isEncrypted ? 443 : 80)) !== port) return false;
  const names = ['127.0.0.1', 'localhost', '::1', ...(binding.names ?? [])];
  if (isEveryAddress(host)) names.push(...listOwnNames(computerName.toLowerCase()));
  else names.push(host.toLowerCase());
  return names.includes(parsed.name);
}

/** `Host` (RFC 9110 §7.2): a name, an IPv4 address, or an IPv6 address in brackets; the default port is omitted. */
function parseHostHeader(header: string): { name: string; port: number | undefined } | undefined {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(header);
  if (!match) return undefined;
  return { name: (match[1] ?? match[2] ?? '').toLowerCase(), port: match[3] === undefined ? undefined : Number(match[3]) };
}

/** The first label is this computer's name in its network and, with `.local`, in multicast DNS (RFC 6762 §3), whatever domain follows it. */
function listOwnNames(computerName: string): string[] {
  const label = computerName.replace(/\..*/, '');
  return [...listOwnAddresses().map(({ address }) => address), computerName, label, `${label}.local`];
}
