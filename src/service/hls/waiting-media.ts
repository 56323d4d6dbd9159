import { AudioTrack } from './audio-track.ts';
import { VideoTrack } from './video-track.ts';

/** The media that is in no part yet. Packagers add at the end; {@link SegmentAssembly} takes from the front. */
export class WaitingMedia {
  readonly audio = new AudioTrack();
  readonly video = new VideoTrack();

  get count(): number {
    return this.video.count + this.audio.count;
  }

  get sizeBytes(): number {
    return this.video.sizeBytes + this.audio.sizeBytes;
  }

  /** Drops everything and begins a new timeline. */
  restart(): void {
    this.audio.restart();
    this.video.restart();
  }
}
