import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../shared/errors.ts';
import type { IngestPair } from '../../shared/model/ingest-pair.ts';
import type { RemoteFailure } from '../../shared/model/remote-failure.ts';
import {
  type NewRemoteService,
  parseRemoteBaseUrl,
  type RemoteServiceChanges,
  type RemoteServiceView,
} from '../../shared/model/remote-service.ts';
import { createEventSource } from '../lib/event-source.ts';
import { violationError } from '../lib/violations.ts';
import type { Clock } from '../ports.ts';
import { RemoteApi, type RemoteApiOptions } from './remote-api.ts';
import type { KeptService, RemoteLedger } from './remote-ledger.ts';
import { findMediaOrigin, findPlainIngest } from './usable-pairs.ts';

/** A remote service and its client. A new address or key makes a new client. */
export interface Remote {
  kept: KeptService;
  readonly api: RemoteApi;
  /** Why its last request failed; undefined if it answered, or hasn't been asked. */
  failure: RemoteFailure | undefined;
}

export interface RemoteServicesOptions {
  ledger: RemoteLedger;
  clock: Clock;
  newId: () => string;
  /** Ends every request. */
  signal: AbortSignal;
  /** Whether a broadcast from this computer to the service is running. */
  isInUse: (serviceId: string) => boolean;
  timeoutMs?: number;
}

/** The remote services that the user has added. Each is checked before it is kept. */
export class RemoteServices {
  readonly #options: RemoteServicesOptions;
  readonly #remotes: Map<string, Remote>;
  readonly #changes = createEventSource<void>();

  constructor(options: RemoteServicesOptions) {
    this.#options = options;
    this.#remotes = new Map(options.ledger.list().map((kept) => [kept.id, this.#open(kept)]));
  }

  /** A service, its name or its last failure has changed. */
  get onChange() {
    return this.#changes.on;
  }

  /** In the order they were added. */
  list(): RemoteServiceView[] {
    return [...this.#remotes.values()].map(formatRemote);
  }

  find(serviceId: string): Remote | undefined {
    return this.#remotes.get(serviceId);
  }

  /** @throws {ServiceError} NOT_FOUND */
  get(serviceId: string): Remote {
    const remote = this.find(serviceId);
    if (remote === undefined) throw new ServiceError('NOT_FOUND', 'No remote service has this id.');
    return remote;
  }

  /** The origins that pages play remote streams from, as far as known. */
  mediaOrigins(): string[] {
    return [...new Set(this.list().flatMap(({ mediaOrigins }) => mediaOrigins))];
  }

  /**
   * Checks a service and adds it: it must be reachable, accept the key, and list a region.
   *
   * @param signal cancels the addition while the service is checked
   * @throws {RemoteError} the first check that fails
   * @throws {ServiceError} UNAVAILABLE when the store cannot be written
   */
  async add({ name, baseUrl: address, apiKey }: NewRemoteService, signal?: AbortSignal): Promise<RemoteServiceView> {
    const id = this.#options.newId();
    const baseUrl = parseAddress(address);
    const pairs = await this.#check(baseUrl, apiKey);
    signal?.throwIfAborted();
    await this.#options.ledger.add({ id, name: name.trim(), baseUrl, pairs }, apiKey, () => this.#keep(id));
    return formatRemote(this.get(id));
  }

  /**
   * Changes a service. A new address or key is checked first, as by {@link add}; other changes made meanwhile are kept.
   *
   * @param signal cancels the change while the service is checked
   * @throws {ServiceError} INVALID_INPUT if the address is of another origin and no key comes with it: a key is only sent where it
   *   was entered for; or if the address was changed since the changes were made. SERVICE_IN_USE for another address while it is on air
   *   from here. NOT_FOUND, and as {@link add}
   */
  async update(serviceId: string, changes: RemoteServiceChanges, signal?: AbortSignal): Promise<RemoteServiceView> {
    const { kept } = this.get(serviceId);
    const { ledger } = this.#options;
    const refuseOther = (known: string, now: string) => {
      if (known === now) return;
      throw ruleError('baseUrl', 'must be entered again: it has just been changed on another page');
    };
    refuseOther(parseAddress(changes.insteadOf ?? kept.baseUrl), kept.baseUrl);
    const baseUrl = changes.baseUrl === undefined ? kept.baseUrl : parseAddress(changes.baseUrl);
    const isElsewhere = new URL(baseUrl).origin !== new URL(kept.baseUrl).origin;
    if (isElsewhere && changes.apiKey === undefined) {
      throw ruleError('apiKey', 'must be entered again for another address');
    }
    const isMoved = baseUrl !== kept.baseUrl;
    const name = changes.name?.trim();
    const renamed = name === undefined ? {} : { name };
    if (!isMoved && changes.apiKey === undefined) {
      await ledger.change(
        serviceId,
        () => renamed,
        undefined,
        () => this.#keep(serviceId, this.find(serviceId)),
      );
      return formatRemote(this.get(serviceId));
    }
    if (isMoved) this.#refuseInUse(serviceId);
    const apiKey = changes.apiKey ?? ledger.findKey(serviceId, kept.baseUrl);
    const pairs = apiKey === undefined ? kept.pairs : await this.#check(baseUrl, apiKey);
    signal?.throwIfAborted();
    const decide = (known: KeptService) => {
      // The check takes seconds, and the store may take one more, so the service may have changed meanwhile.
      refuseOther(kept.baseUrl, known.baseUrl);
      if (isMoved) this.#refuseInUse(serviceId);
      return { ...renamed, baseUrl, pairs };
    };
    await ledger.change(serviceId, decide, changes.apiKey, () => this.#keep(serviceId));
    return formatRemote(this.get(serviceId));
  }

  /**
   * Forgets a service and its key; its streams stay there.
   *
   * @throws {ServiceError} NOT_FOUND, SERVICE_IN_USE; UNAVAILABLE, for example when the disk doesn't confirm the removal, though it is done
   */
  async remove(serviceId: string): Promise<void> {
    this.get(serviceId);
    const refuseInUse = () => this.#refuseInUse(serviceId);
    refuseInUse();
    const removed = () => {
      this.#remotes.delete(serviceId);
      this.#changes.emit();
    };
    await this.#options.ledger.remove(serviceId, refuseInUse, removed);
  }

  /** Asks a service which regions it has now, and keeps them. Doesn't wait for the store: broadcasts begin with it. @throws {RemoteError} */
  async readPairs(remote: Remote): Promise<readonly IngestPair[]> {
    const pairs = await remote.api.listPairs();
    const { kept } = remote;
    if (this.find(kept.id) !== remote || JSON.stringify(pairs) === JSON.stringify(kept.pairs)) return pairs;
    this.#options.ledger.keepPairs(kept.id, pairs);
    this.#keep(kept.id, remote);
    return pairs;
  }

  /** All regions' pairs, if the service has an interface that accepts the key. */
  async #check(baseUrl: string, apiKey: string): Promise<IngestPair[]> {
    const api = new RemoteApi(this.#apiOptions(baseUrl, () => apiKey));
    await api.findNearestPair();
    const pairs = await api.listPairs();
    await api.checkKey();
    return pairs;
  }

  #refuseInUse(serviceId: string): void {
    if (!this.#options.isInUse(serviceId)) return;
    throw new ServiceError('SERVICE_IN_USE', 'A broadcast from this computer to this service is running. Stop it first.');
  }

  /** Takes over the ledger's values of a service, and keeps the client if address and key are the same. */
  #keep(id: string, known?: Remote): void {
    const kept = this.#options.ledger.list().find((service) => service.id === id);
    if (kept === undefined) throw new ServiceError('NOT_FOUND', 'The remote service was removed.');
    const remote = known === undefined ? this.#open(kept) : Object.assign(known, { kept });
    this.#remotes.set(id, remote);
    this.#changes.emit();
  }

  #open(kept: KeptService): Remote {
    const { ledger } = this.#options;
    const remote: Remote = {
      kept,
      failure: undefined,
      api: new RemoteApi({
        ...this.#apiOptions(kept.baseUrl, () => ledger.findKey(kept.id, kept.baseUrl)),
        onOutcome: (failure) => {
          const hasChanged = !isDeepStrictEqual(remote.failure, failure);
          remote.failure = failure;
          if (hasChanged) this.#changes.emit();
        },
      }),
    };
    return remote;
  }

  #apiOptions(baseUrl: string, findKey: RemoteApiOptions['findKey']): RemoteApiOptions {
    const { clock, signal, timeoutMs } = this.#options;
    return { baseUrl, findKey, clock, signal, timeoutMs };
  }
}

function parseAddress(text: string): string {
  const baseUrl = parseRemoteBaseUrl(text);
  if (baseUrl === undefined) throw ruleError('baseUrl', 'must be an address');
  return baseUrl;
}

function ruleError(property: keyof RemoteServiceChanges, words: string): ServiceError {
  return violationError('INVALID_INPUT', [{ code: 'rule', path: [property], words }]);
}

function formatRemote({ kept: { id, name, baseUrl, pairs }, failure }: Remote): RemoteServiceView {
  const origins = pairs.map(({ playback }) => findMediaOrigin(playback)).filter((origin) => origin !== undefined);
  const plain = new Set(pairs.map(({ ingest }) => findPlainIngest(ingest)).filter((host) => host !== undefined));
  return {
    id,
    name,
    baseUrl,
    mediaOrigins: [...new Set(origins)],
    ...(plain.size > 0 && { plainIngests: [...plain] }),
    ...(failure && { failure }),
  };
}
