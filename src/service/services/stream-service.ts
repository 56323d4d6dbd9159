import type { AudioMeter } from '../../shared/model/audio-meter.ts';
import type { OneClickFailure } from '../../shared/model/one-click-failure.ts';
import type { Profile } from '../../shared/model/profile.ts';
import type { NewStream, StreamChanges } from '../../shared/model/stream.ts';
import type { SessionView, StreamLive, StreamsEvent, StreamView } from '../../shared/model/views.ts';
import type { OneClickEvent } from '../one-click/one-click-event.ts';
import type { MediaPublisher } from '../publishing/media-publisher.ts';

type Awaitable<T> = T | Promise<T>;

/**
 * A service whose streams the screens show: this computer's, or a remote one. `id` is a stream's id at the service.
 *
 * Every call with an id throws a {@link ServiceError} NOT_FOUND if the service has no such stream, and a remote one throws a
 * {@link RemoteError} if it doesn't answer.
 */
export interface StreamService {
  create(input: NewStream): Promise<StreamView>;
  update(id: string, changes: StreamChanges): Promise<StreamView>;
  delete(id: string): Promise<void>;
  watchAll(signal: AbortSignal): AsyncIterable<StreamsEvent>;
  watch(id: string, pageId: string | undefined, signal: AbortSignal): AsyncIterable<StreamLive>;
  watchAudio(id: string, signal: AbortSignal): AsyncIterable<{ meter?: AudioMeter }>;
  revealKey(id: string): Awaitable<string>;
  renewKey(id: string): Promise<void>;
  /** The broadcasts of a stream, newest first. */
  sessions(id: string, limit: number): Awaitable<SessionView[]>;
  /** Throws if the service is known not to have this stream. */
  check(id: string): void;
  /** The renditions of the stream that this computer makes. */
  profilesMadeHere(id: string): readonly Profile[];
  /** The host and port that one click publishes this stream to, as `formatIngestAddress` makes it; undefined until known. */
  ingestAddress(id: string): string | undefined;
  /** Finds out where a one-click broadcast of this stream will go: the first step of each. Once aborted, it changes nothing. */
  prepareGoLive(id: string, signal: AbortSignal): Awaitable<void>;
  /** Whether its one-click broadcast goes to another computer, so that only the sent audio can be metered here. */
  isElsewhere(id: string): boolean;
  /** Opens a connection from one click to the service's ingest; it resolves when the ingest takes media. */
  connect(id: string, signal: AbortSignal): Promise<MediaPublisher>;
  /** Moves its one-click broadcast to this region, if that is the offered one. Returns whether the broadcast goes there now. */
  changeRegion(id: string, region: string): boolean;
  /** Ends the stream's broadcast, even another program's. */
  stop(id: string): Promise<void>;
  letIn(id: string): void;
  /** The owner confirms that the broadcast is meant to be silent. @throws {ServiceError} OFF_AIR */
  acceptSilence(id: string): void;
  setRenditions(id: string, names: string[]): void;
  dismissLost(id: string, sessionId: string): Awaitable<void>;
  /** Something about its one-click broadcast that is worth a line in the stream's log. */
  noteEvent(id: string, event: OneClickEvent): void;
  /** The encoder of its one-click broadcast has failed for good. */
  ownEncoderFailed(id: string, failure: OneClickFailure): void;
}

/** A remote service. Its streams are only polled while somebody watches them or this computer sends to them. */
export interface RemoteStreamService extends StreamService {
  /** A stream that this computer sends to, or has failed to. */
  findOnAir(id: string): StreamView | undefined;
  /** The service was removed: forgets everything about its streams. */
  close(): Promise<void>;
}
