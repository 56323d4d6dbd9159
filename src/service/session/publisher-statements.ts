import type { PublisherMetadata } from '../ingest/publisher-metadata.ts';
import { namePublisher } from './publisher-name.ts';

/** A publisher's statements about itself, which its media may contradict. */
export class PublisherStatements {
  readonly #software: string | undefined;
  /** Its name for people, as far as it has said. */
  name: string | undefined;
  /** What it calls itself in its metadata, which may be another name than when it connected. */
  statedSoftware: string | undefined;
  /** The bitrate of all tracks together. */
  bitrateBps: number | undefined;
  fps: number | undefined;
  /** There will be video. */
  announcesVideo = false;

  /** @param software what it said when it connected */
  constructor(software: string | undefined) {
    this.#software = software;
    this.name = namePublisher(software);
  }

  /** Takes its metadata. What it leaves out stays as it was. */
  add({ statedSoftware, bitrateBps, fps, announcesVideo }: PublisherMetadata): void {
    this.statedSoftware = statedSoftware ?? this.statedSoftware;
    this.name = namePublisher(this.statedSoftware) ?? namePublisher(this.#software);
    this.bitrateBps = bitrateBps ?? this.bitrateBps;
    this.fps = fps ?? this.fps;
    this.announcesVideo ||= announcesVideo;
  }
}
