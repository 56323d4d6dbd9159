import type { RemoteServiceView } from '../../shared/model/remote-service.ts';
import type { StreamView } from '../../shared/model/views.ts';
import { type AirStatus, type AirTone, describeAir, noContact, offAir, pickMostUrgent } from './air-status.ts';

/** The streams that a screen is about, and what is known of them. */
export interface StreamsAround {
  streams: StreamView[];
  /** The state of every stream is known. */
  isComplete: boolean;
  /** Their service doesn't answer: its last report may be out of date. */
  isUnheard: boolean;
  /** Set if it is this computer's service that can't tell, because its store can't be read. */
  isHereUnread: boolean;
}

/** The content of a bar that isn't about one stream: a stream, a state of all streams, or that nothing is known yet. */
export type AirSummary =
  /** `isPartial`: other streams of the screen aren't heard, and may also be on air or in trouble. */
  | { kind: 'stream'; stream: StreamView; isPartial: boolean }
  | { kind: 'status'; status: AirStatus }
  | { kind: 'nothing-known' };

/** The colour of what is shown; undefined until something is known. */
export function toneOf(shown: AirSummary): AirTone | undefined {
  if (shown.kind === 'nothing-known') return undefined;
  if (shown.kind === 'status') return shown.status.tone;
  return shown.isPartial ? noContact.tone : describeAir(shown.stream).tone;
}

/** Prefers a stream on air or in trouble. Nothing that may be on air is called off air. */
export function summarizeAir({ streams, isComplete, isUnheard }: Omit<StreamsAround, 'isHereUnread'>): AirSummary {
  const first = pickMostUrgent(streams);
  if (first !== undefined && first.status.kind !== 'lost')
    return { kind: 'stream', stream: first.stream, isPartial: isUnheard };
  if (isUnheard) return { kind: 'status', status: noContact };
  if (!isComplete) return { kind: 'nothing-known' };
  return first === undefined ? { kind: 'status', status: offAir } : { kind: 'stream', stream: first.stream, isPartial: false };
}

/**
 * Names the service that isn't heard: `no contact with Studio server`.
 *
 * @param serviceId the remote service that the screen is about. Streams of others, which this computer sends to, are shown there, too
 */
export function describeUnheard(
  { streams, isHereUnread }: Pick<StreamsAround, 'streams' | 'isHereUnread'>,
  serviceId: string | undefined,
  services: readonly Pick<RemoteServiceView, 'id' | 'name'>[],
): string {
  if (isHereUnread) return 'no contact with this computer';
  const unheard = streams.filter(({ isUnheard }) => isUnheard).map((stream) => stream.serviceId);
  // The screen's own service comes before others.
  const unheardId = unheard.length === 0 || unheard.includes(serviceId) ? serviceId : unheard[0];
  const service = services.find(({ id }) => id === unheardId);
  return `no contact with ${service?.name ?? 'a service'}`;
}

/**
 * The note below the shown stream: what comes next, which streams aren't heard and which others are active, if any. In this order, since a
 * narrow bar cuts off the end.
 */
export function formatSummaryNote({
  air,
  unheard,
  others,
}: Record<'air' | 'unheard' | 'others', string | undefined>): string | undefined {
  return [air, unheard, others].filter(Boolean).join(' · ') || undefined;
}
