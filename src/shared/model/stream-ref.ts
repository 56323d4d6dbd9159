/**
 * How the contract and the screens name a stream of any service: those of this computer by their id alone, those of a remote service as
 * `<service id>~<stream id>`. Ids of services have only letters and digits, so the first `~` divides.
 */
export interface StreamRef {
  /** Undefined: this computer. */
  serviceId: string | undefined;
  id: string;
}

/** The name of a stream for the contract and the screens. */
export function formatStreamRef({ serviceId, id }: StreamRef): string {
  return serviceId === undefined ? id : `${serviceId}~${id}`;
}

/** The stream that a name means; any text without a service's id names one of this computer. */
export function parseStreamRef(streamId: string): StreamRef {
  const [, serviceId, id] = /^([a-z0-9]+)~(.*)$/s.exec(streamId) ?? [];
  return serviceId === undefined || id === undefined ? { serviceId: undefined, id: streamId } : { serviceId, id };
}
