import type { EncoderIdentity } from '../model/refusal.ts';

/** An encoder's name and address for people: `OBS Studio 29.0.2 at 192.0.2.7`. */
export function describeEncoder({ name = 'Another encoder', address }: EncoderIdentity): string {
  return `${name} ${isThisComputer(address) ? 'on this computer' : `at ${address}`}`;
}

export function isThisComputer(address: string): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(address);
}
