import { ServiceError } from '../../shared/errors.ts';
import type { SourcePreview } from '../../shared/model/capture.ts';
import type { Source } from '../../shared/model/source.ts';
import { reportFault, runHarmlessly } from '../lib/faults.ts';
import { watchValue } from '../lib/watch-value.ts';
import type { Clock } from '../ports.ts';
import type { CaptureTools } from './parts.ts';
import { RunningPreview } from './source-preview.ts';

/** How long a preview continues with nobody watching: a page that changes its source comes back at once. */
const lingerMs = 1_500;
/** Each costs an ffmpeg or two; nobody has more pages open than this. */
const maxPreviews = 4;

interface SourcePreviewsOptions {
  /** @throws {ServiceError} FFMPEG_NOT_FOUND */
  findTools: () => Promise<CaptureTools>;
  clock: Clock;
}

/** A preview that nobody watches, and the timer that ends it. */
interface LingeringPreview {
  /** Id of the panel that may resume it; undefined if none can. */
  previewId: string | undefined;
  timer: NodeJS.Timeout;
}

/**
 * Previews of sources before they go live. Each watching page has its own preview and keeps it over a change of source, so that devices
 * stay open.
 */
export class SourcePreviews {
  readonly #options: SourcePreviewsOptions;
  readonly #all = new Set<RunningPreview>();
  /** The oldest first. */
  readonly #lingering = new Map<RunningPreview, LingeringPreview>();
  /** Ends those that still wait for ffmpeg to be found. */
  #waiting = new AbortController();

  constructor(options: SourcePreviewsOptions) {
    this.#options = options;
  }

  /**
   * The preview of a source, now and up to ten times a second. With the `previewId` of a preview that ended a moment ago, it continues
   * that one: it shows the old source until the new one is open.
   *
   * @throws {ServiceError} FFMPEG_NOT_FOUND, or UNAVAILABLE when too many pages watch previews
   */
  async *watch(source: Source, signal: AbortSignal, previewId?: string): AsyncGenerator<SourcePreview, void> {
    const ended = AbortSignal.any([signal, this.#waiting.signal]);
    const tools = await this.#options.findTools();
    if (ended.aborted) return;
    const preview = this.#take(source, tools, previewId);
    try {
      yield* watchValue(() => preview.current, {
        onChange: (listener) => preview.changes.on(listener),
        signal: AbortSignal.any([signal, preview.closed]),
      });
    } finally {
      if (this.#all.has(preview))
        this.#lingering.set(preview, {
          previewId,
          timer: setTimeout(() => runHarmlessly(() => this.#close(preview), 'ending a preview'), lingerMs),
        });
    }
  }

  /** Ends all previews, and with them the captures that only they use. */
  async close(): Promise<void> {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    await Promise.all([...this.#all].map((preview) => this.#close(preview)));
  }

  #take(source: Source, tools: CaptureTools, previewId: string | undefined): RunningPreview {
    const known = [...this.#lingering].find(([, lingering]) => previewId !== undefined && lingering.previewId === previewId);
    if (known !== undefined) {
      const [preview, { timer }] = known;
      clearTimeout(timer);
      this.#lingering.delete(preview);
      preview.change(source).catch((error: unknown) => reportFault(error, 'changing a preview'));
      return preview;
    }
    if (this.#all.size >= maxPreviews) {
      const [oldest] = this.#lingering.keys();
      if (oldest === undefined) throw new ServiceError('UNAVAILABLE', 'Too many pages show a preview. Close one of them.');
      runHarmlessly(() => this.#close(oldest), 'ending a preview');
    }
    const made = new RunningPreview(source, tools, this.#options.clock);
    this.#all.add(made);
    return made;
  }

  async #close(preview: RunningPreview): Promise<void> {
    clearTimeout(this.#lingering.get(preview)?.timer);
    this.#lingering.delete(preview);
    this.#all.delete(preview);
    await preview.close();
  }
}
