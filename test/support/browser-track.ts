import { vi } from 'vitest';

/** A block of samples or a frame, as far as our code reads it. */
export interface BrowserData {
  close(): void;
}

/** A track of a browser whose frames a test makes, read by a `MediaStreamTrackProcessor` that stands in for the browser's. */
export class BrowserTrack extends EventTarget {
  readonly kind: 'video' | 'audio';
  readonly label = 'Device';
  readyState: 'live' | 'ended' = 'live';
  muted = false;
  deviceId = 'device id';
  /** Other properties that the browser gives a track. */
  settings: MediaTrackSettings & { restrictOwnAudio?: boolean } = {};
  readonly constraints: unknown[] = [];
  #reader: ReadableStreamDefaultController<BrowserData> | undefined;
  /** How often somebody began to read it. */
  reads = 0;

  readonly #sampleRate: number;

  constructor(kind: 'video' | 'audio', sampleRate = 48_000) {
    super();
    this.kind = kind;
    this.#sampleRate = sampleRate;
  }

  push(data: Omit<BrowserData, 'close'> & object): void {
    this.#reader?.enqueue({ close: () => {}, ...data });
  }

  /** As when a device is unplugged. */
  end(): void {
    this.readyState = 'ended';
    this.#reader?.close();
    this.#reader = undefined;
    this.dispatchEvent(new Event('ended'));
  }

  stop(): void {
    this.readyState = 'ended';
  }

  getSettings(): MediaTrackSettings {
    return { ...this.settings, sampleRate: this.#sampleRate, deviceId: this.deviceId };
  }

  async applyConstraints(constraints: unknown): Promise<void> {
    this.constraints.push(constraints);
  }

  open(): ReadableStream<BrowserData> {
    this.reads += 1;
    return new ReadableStream({
      start: (controller) => {
        this.#reader = controller;
      },
    });
  }
}

/** Makes frames of {@link BrowserTrack}s readable until the test ends (`vi.unstubAllGlobals`). */
export function stubTrackProcessor(): void {
  vi.stubGlobal(
    'MediaStreamTrackProcessor',
    class {
      readonly readable: ReadableStream<BrowserData>;
      constructor({ track }: { track: BrowserTrack }) {
        this.readable = track.open();
      }
    },
  );
}

/** The browser's resampled output for a track of another rate. The test makes its samples, until it ends (`vi.unstubAllGlobals`). */
export function stubResampling(): BrowserTrack {
  const resampled = new BrowserTrack('audio');
  vi.stubGlobal('MediaStream', class {});
  vi.stubGlobal(
    'AudioContext',
    class {
      createMediaStreamDestination = () => ({ stream: { getAudioTracks: () => [resampled] } });
      createMediaStreamSource = () => ({ connect() {} });
      async close() {}
    },
  );
  return resampled;
}

/** A page's open socket to the service: the messages it has sent, and a way to send it one. */
export class BrowserSocket extends EventTarget {
  readyState: number = WebSocket.OPEN;
  readonly bufferedAmount = 0;
  readonly sent: (string | ArrayBuffer)[] = [];

  send(data: string | ArrayBuffer): void {
    this.sent.push(data);
  }

  hear(word: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(word) }));
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }
}
