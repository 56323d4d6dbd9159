import type { PortPurpose, PortRefusal } from '../model/service-notice.ts';

const refusals: Readonly<Record<PortRefusal, string>> = {
  'in-use': 'is in use by another program',
  'rtmp-port': 'is already the RTMP port',
  'no-permission': 'needs permissions that Tallylight does not have',
};

/** Why the service can't listen on a port: a sentence without its end. */
export function describeRefusedPort(purpose: PortPurpose, port: number, reason: PortRefusal): string {
  return `The ${purpose} port ${port} ${refusals[reason]}`;
}
