import type { RemoteServiceView } from '../../shared/model/remote-service.ts';
import type { StreamView } from '../../shared/model/views.ts';
import { type AirStatus, type AirTone, describeAir, noContact, offAir, pickMostUrgent } from './air-status.ts';

/** The streams that a screen is about, and what is known of them. */
export interface StreamsAround {
  streams: StreamView[];
  /** All of them are known. */
  isComplete: boolean;
  /** Their service doesn't answer: what it last said may be over. */
  isUnheard: boolean;
  /** It is this computer's that can't tell: its store can't be read. */
  isHereUnread: boolean;
}

/** What is shown on a screen that isn't about one stream: a stream, a state that holds for all, or that nothing is known yet. */
export type AirSummary =
  /** `isPartial`: others of the screen aren't heard, and may be on air or in trouble too. */
  | { kind: 'stream'; stream: StreamView; isPartial: boolean }
  | { kind: 'status'; status: AirStatus }
  | { kind: 'nothing-known' };

/** The colour of what is shown; undefined until something is known. */
export function toneOf(shown: AirSummary): AirTone | undefined {
  if (shown.kind === 'nothing-known') return undefined;
  if (shown.kind === 'status') return shown.status.tone;
  return shown.isPartial ? noContact.tone : describeAir(shown.stream).tone;
}

/** A stream on air or in trouble first. Nothing is called off air that may be on air. */
export function summarizeAir({ streams, isComplete, isUnheard }: Omit<StreamsAround, 'isHereUnread'>): AirSummary {
  const first = pickMostUrgent(streams);
  if (first !== undefined && first.status.kind !== 'lost')
    return { kind: 'stream', stream: first.stream, isPartial: isUnheard };
  if (isUnheard) return { kind: 'status', status: noContact };
  if (!isComplete) return { kind: 'nothing-known' };
  return first === undefined ? { kind: 'status', status: offAir } : { kind: 'stream', stream: first.stream, isPartial: false };
}

/**
 * The service that isn't heard, of which nothing can be told: `no contact with Studio server`.
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
  // The screen's own before others.
  const unheardId = unheard.length === 0 || unheard.includes(serviceId) ? serviceId : unheard[0];
  const service = services.find(({ id }) => id === unheardId);
  return `no contact with ${service?.name ?? 'a service'}`;
}

/**
 * The note below the stream that is shown: what comes next, what can't be told and what else is active, as far as there is any. In this
 * order, since a narrow bar cuts the end.
 */
export function formatSummaryNote({
  air,
  unheard,
  others,
}: Record<'air' | 'unheard' | 'others', string | undefined>): string | undefined {
  return [air, unheard, others].filter(Boolean).join(' · ') || undefined;
}
