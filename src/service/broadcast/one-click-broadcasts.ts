import { stat } from 'node:fs/promises';
import { ServiceError } from '../../shared/errors.ts';
import type { EncoderName } from '../../shared/model/encoder.ts';
import type { EncodeQuality, OneClickState, Source } from '../../shared/model/live.ts';
import type { Clock } from '../ports.ts';
import type { RtmpPublisher } from '../rtmp/rtmp-publisher.ts';
import type { EncodeTools } from './encode-tools.ts';
import { OneClick } from './one-click.ts';

export interface OneClickBroadcastsOptions {
  clock: Clock;
  findTools: () => Promise<EncodeTools>;
  /** What to encode with; undefined where nothing was found to work. */
  pickEncoder: () => Promise<EncoderName | undefined>;
  /** Opens a connection to the nearest region's ingest for this stream. */
  connect: (streamId: string, signal: AbortSignal) => Promise<RtmpPublisher>;
  /** The stream's one-click state changed. */
  onChange: (streamId: string) => void;
  onTrouble: (streamId: string, sentence: string) => void;
}

/** The one-click broadcasts of all streams; at most one runs on each. */
export class OneClickBroadcasts {
  readonly #options: OneClickBroadcastsOptions;
  readonly #byStreamId = new Map<string, OneClick>();

  constructor(options: OneClickBroadcastsOptions) {
    this.#options = options;
  }

  state(streamId: string): OneClickState {
    return this.#byStreamId.get(streamId)?.state ?? { kind: 'idle' };
  }

  /**
   * Starts a broadcast; answers once ffmpeg is started, and {@link state} tells the rest.
   *
   * @throws {ServiceError} ALREADY_LIVE when one runs, FFMPEG_NOT_FOUND, or SOURCE_FAILED when the file is not there
   */
  async goLive(streamId: string, source: Source, quality: EncodeQuality): Promise<void> {
    if (this.#isRunning(streamId)) throw new ServiceError('ALREADY_LIVE', 'This stream is already live from this computer.');
    const { ffmpeg, ...tools } = await this.#options.findTools();
    if (ffmpeg.kind === 'missing') throw new ServiceError('FFMPEG_NOT_FOUND', ffmpeg.sentence);
    if (source.kind === 'file') await checkFile(source.path);
    // Where nothing works, ffmpeg says best why.
    const encoder = (await this.#options.pickEncoder()) ?? 'libx264';
    if (this.#isRunning(streamId)) throw new ServiceError('ALREADY_LIVE', 'This stream is already live from this computer.');
    const { clock, connect, onChange, onTrouble } = this.#options;
    const oneClick = new OneClick({
      source,
      quality,
      clock,
      ffmpegPath: ffmpeg.path,
      tools,
      encoder,
      connect: (signal) => connect(streamId, signal),
      onTrouble: (sentence) => onTrouble(streamId, sentence),
    });
    oneClick.changes.on(() => onChange(streamId));
    this.#byStreamId.set(streamId, oneClick);
    onChange(streamId);
  }

  /** Ends the stream's one-click broadcast, if there is one, in under 5 s. */
  async stop(streamId: string): Promise<void> {
    await this.#byStreamId.get(streamId)?.stop();
  }

  reconnectNow(streamId: string): void {
    this.#byStreamId.get(streamId)?.reconnectNow();
  }

  /** Ends all of them; may be called twice. */
  async close(): Promise<void> {
    await Promise.all([...this.#byStreamId.values()].map((oneClick) => oneClick.stop()));
  }

  #isRunning(streamId: string): boolean {
    const { kind } = this.state(streamId);
    return kind !== 'idle' && kind !== 'failed';
  }
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new ServiceError('SOURCE_FAILED', `There is no file ${path}. Type its whole path, or browse to it.`);
  if (!found.isFile()) throw new ServiceError('SOURCE_FAILED', `${path} is not a file. Choose a video in it.`);
}
