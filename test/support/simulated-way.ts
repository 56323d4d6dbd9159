import type { WayMeasure } from '../../src/service/publishing/media-publisher.ts';
import { WayMeter } from '../../src/service/rtmp/way-meter.ts';

export interface SimulatedWayOptions {
  /** The way's capacity at a time, in bit/s. */
  capacityBps: (atMs: number) => number;
  /** The round trip to the peer, in milliseconds. */
  roundTripMs?: (atMs: number) => number;
  /** The bytes that the peer acknowledges at a time. */
  windowBytes?: number;
  /** Bytes that the peer has got but doesn't count, such as the handshake. */
  uncountedBytes?: number;
}

/**
 * A way to an ingest that carries bytes in order, at a capacity and with a delay, in simulated time: bytes wait for the bytes
 * sent before them. Its acknowledgements feed a meter.
 */
export class SimulatedWay {
  readonly meter = new WayMeter();
  readonly #options: SimulatedWayOptions;
  #now = 0;
  #sentBytes = 0;
  #arrivedBytes = 0;
  #acknowledgedBytes = 0;
  #answers: { atMs: number; bytes: number }[] = [];

  constructor(options: SimulatedWayOptions) {
    this.#options = options;
  }

  get now(): number {
    return this.#now;
  }

  /** The bytes that are still on this side. */
  get waitingBytes(): number {
    return this.#sentBytes - this.#arrivedBytes;
  }

  send(bytes: number): void {
    this.#sentBytes += bytes;
    this.meter.sent(this.#sentBytes, this.#now);
  }

  /** Lets a millisecond pass. */
  pass(): void {
    const { capacityBps, roundTripMs = () => 0, windowBytes = 16 * 1024, uncountedBytes = 0 } = this.#options;
    this.#now += 1;
    this.#arrivedBytes = Math.min(this.#sentBytes, this.#arrivedBytes + capacityBps(this.#now) / 8000);
    const arrived = Math.floor(this.#arrivedBytes) - uncountedBytes;
    if (arrived - this.#acknowledgedBytes >= windowBytes) {
      this.#acknowledgedBytes = arrived;
      this.#answers.push({ atMs: this.#now + roundTripMs(this.#now), bytes: arrived });
    }
    while (this.#answers[0] !== undefined && this.#answers[0].atMs <= this.#now)
      this.meter.acknowledged(this.#answers.shift()?.bytes ?? 0, this.#now);
  }
}

/** Frames of a video with audio for `ms`, at a bitrate that may change, with a keyframe every second; `onFrame` sees each measure. */
export function sendVideo(
  way: SimulatedWay,
  {
    ms,
    fps = 30,
    videoBps,
    audioBps = 160_000,
    onFrame = () => true,
  }: {
    ms: number;
    fps?: number;
    videoBps: () => number;
    audioBps?: number;
    /** Whether the frame is sent. */
    onFrame?: (frame: { isKeyframe: boolean; measure: WayMeasure | undefined }) => boolean;
  },
): void {
  const endMs = way.now + ms;
  for (let frame = 0; way.now < endMs; frame += 1) {
    const isKeyframe = frame % fps === 0;
    // A keyframe is as large as eight other frames.
    const bytes = ((videoBps() / 8) * (isKeyframe ? 8 : 1)) / (fps + 7);
    if (onFrame({ isKeyframe, measure: way.meter.measure(way.now) })) way.send(Math.round(bytes));
    way.send(Math.round(audioBps / 8 / fps));
    const nextMs = Math.min(endMs, way.now + 1000 / fps);
    while (way.now < nextMs) way.pass();
  }
}
