import { type PageCapture, type PageCaptureOrder, type PageCaptureState, usesPicker } from '../../shared/model/page-capture.ts';
import { pause } from '../../shared/pause.ts';
import { feedCapture } from './capture-feed.ts';
import { explainCaptureError, findObstacle, type OpenedMedia, openMedia } from './open-media.ts';

/** Pause before a lost socket is opened again. */
const socketAgainMs = 1_000;
/** How often a missing or busy device is tried again; a device that is plugged in is tried at once. */
const deviceAgainMs = 5_000;

interface RunnerOptions {
  capture: PageCapture;
  /** Opens the socket for the media of a capture. */
  connect: (hello: { captureId: string; hasVideo: boolean; hasAudio: boolean }) => Promise<WebSocket>;
  onState: (state: PageCaptureState) => void;
}

/** Keeps one ordered capture open until it is stopped: asks the user, sends the media, and reopens a device that was lost. */
export class CaptureRunner {
  readonly captureId: string;
  readonly attempt: number;
  readonly #options: RunnerOptions;
  readonly #stopped = new AbortController();
  readonly #usesPicker: boolean;
  /** The media that the user picks. */
  readonly #chosen = Promise.withResolvers<OpenedMedia>();
  #hasChosen = false;
  /** The opened device, if the order names no camera or microphone: while it is away, another one may be the default. */
  #openedId: string | undefined;
  #state: PageCaptureState = { kind: 'waiting' };
  #sharing = new AbortController();
  #isEndedByUser = false;
  #isStuck = false;
  /** Faults while the media is open: its sound is exactly zero, or it can't be read or copied now. */
  #isSilent = false;
  #fault: unknown;

  constructor(options: RunnerOptions) {
    const { captureId, attempt, order, state } = options.capture;
    this.captureId = captureId;
    this.attempt = attempt;
    this.#options = options;
    this.#usesPicker = usesPicker(order);
    // A capture that the user has ended stays ended when the page is opened again.
    if (state.kind === 'ended') this.#state = state;
    else void this.#run();
  }

  get state(): PageCaptureState {
    return this.#state;
  }

  /** Opens the browser's picker; must be called in a user's gesture. Does nothing unless the capture is waiting for it. */
  choose(): void {
    if (!this.#usesPicker || this.#state.kind !== 'asking' || this.#hasChosen) return;
    this.#hasChosen = true;
    this.#chosen.resolve(openMedia(this.#options.capture.order));
  }

  /** Ends the capture; the device's light goes out. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Ends what is shared, as if the browser's own button had been pressed: only the user opens it again. */
  endSharing(): void {
    this.#isEndedByUser = true;
    this.#sharing.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    const obstacle = findObstacle(window);
    if (obstacle !== undefined) return this.#enter({ kind: 'failed', failure: obstacle });
    while (!signal.aborted) {
      try {
        await this.#captureOnce();
      } catch (error) {
        this.#enter(this.#isEndedByUser ? { kind: 'ended' } : this.#explain(error));
      }
      // Only the user can pick a screen again; a device is reopened automatically.
      if (signal.aborted || this.#usesPicker || !mayReturn(this.#state)) return;
      await untilDeviceChange(signal);
    }
  }

  /** Runs from asking the user to the end of the media. */
  async #captureOnce(): Promise<void> {
    this.#enter({ kind: 'asking' });
    const { signal } = this.#stopped;
    const media = await (this.#usesPicker ? this.#chosen.promise : openMedia(this.#deviceOrder()));
    this.#openedId ??= media.deviceId;
    const tracks = [media.picture, media.sound].filter((track) => track !== undefined);
    this.#sharing = new AbortController();
    if (this.#isEndedByUser) this.#sharing.abort();
    this.#isStuck = false;
    const ended = AbortSignal.any([signal, this.#sharing.signal, whenEnded(media.picture ?? media.sound)]);
    ended.addEventListener('abort', () => {
      for (const track of tracks) track.stop();
    });
    try {
      this.#showOpen(media);
      for (const event of ['mute', 'unmute']) {
        for (const track of tracks) track.addEventListener(event, () => this.#showOpen(media), { signal: ended });
      }
      await this.#feed(media, ended);
    } finally {
      for (const track of tracks) track.stop();
    }
    const code = this.#isStuck ? 'stuck' : 'not-found';
    this.#enter(this.#usesPicker || this.#isEndedByUser ? { kind: 'ended' } : { kind: 'failed', failure: { code } });
  }

  /** The order; once a device was opened, for exactly that device. */
  #deviceOrder(): PageCaptureOrder {
    return { ...this.#options.capture.order, ...(this.#openedId !== undefined && { deviceId: this.#openedId }) };
  }

  /** Releases a device that sends nothing, to open it again. */
  #endStuck(): void {
    this.#isStuck = true;
    this.#sharing.abort();
  }

  async #feed(media: OpenedMedia, ended: AbortSignal): Promise<void> {
    const { picture, sound } = media;
    const hello = { captureId: this.captureId, hasVideo: picture !== undefined, hasAudio: sound !== undefined };
    while (!ended.aborted) {
      const socket = await this.#options.connect(hello).catch(() => undefined);
      if (socket === undefined) {
        await pause(socketAgainMs, ended);
        continue;
      }
      const close = () => socket.close();
      ended.addEventListener('abort', close);
      if (ended.aborted) close();
      await feedCapture({
        media,
        socket,
        onSilence: (isSilent) => {
          this.#isSilent = isSilent;
          this.#showOpen(media);
        },
        onFault: (error) => {
          this.#fault = error;
          this.#showOpen(media);
        },
        onStuck: () => this.#endStuck(),
      });
      ended.removeEventListener('abort', close);
      // The next socket reports both again, unless they are over.
      const wasTold = this.#isSilent || this.#fault !== undefined;
      this.#isSilent = false;
      this.#fault = undefined;
      if (wasTold && !ended.aborted) this.#showOpen(media);
      await pause(socketAgainMs, ended);
    }
  }

  #showOpen({ of, name, deviceId, picture, sound, hearsMonitor }: OpenedMedia): void {
    if (this.#fault !== undefined) {
      this.#enter(this.#explain(this.#fault));
      return;
    }
    const isMuted = [picture, sound].some((track) => track?.muted === true);
    this.#enter({
      kind: 'open',
      of,
      name,
      ...(deviceId && { deviceId }),
      hasPicture: picture !== undefined,
      hasSound: sound !== undefined,
      isMuted,
      isSilent: this.#isSilent,
      ...(hearsMonitor && { hearsMonitor }),
    });
  }

  #explain(error: unknown): PageCaptureState {
    return { kind: 'failed', failure: explainCaptureError(error, this.#options.capture.order) };
  }

  #enter(state: PageCaptureState): void {
    if (this.#stopped.signal.aborted) return;
    this.#state = state;
    this.#options.onState(state);
  }
}

/** Whether a device may come back by itself, unlike one that the user or the browser refused. */
function mayReturn(state: PageCaptureState): boolean {
  return state.kind === 'failed' && ['not-found', 'in-use', 'stuck'].includes(state.failure.code);
}

async function untilDeviceChange(signal: AbortSignal): Promise<void> {
  const changed = new AbortController();
  const onChange = () => changed.abort();
  navigator.mediaDevices.addEventListener('devicechange', onChange);
  await pause(deviceAgainMs, signal, changed.signal);
  navigator.mediaDevices.removeEventListener('devicechange', onChange);
}

/** Aborts when the user or the system ends the track, or has ended it; `stop` doesn't count (Media Capture and Streams, "ended"). */
function whenEnded(track: MediaStreamTrack | undefined): AbortSignal {
  if (track?.readyState === 'ended') return AbortSignal.abort();
  const ended = new AbortController();
  track?.addEventListener('ended', () => ended.abort());
  return ended.signal;
}
