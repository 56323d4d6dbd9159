import { type CaptureNews, CaptureWish } from '../../shared/capture-message.ts';
import { Demand } from './demand.ts';
import type { OpenedMedia } from './open-media.ts';
import { PictureFeed, type WantedPicture } from './picture-feed.ts';
import { SoundFeed } from './sound-feed.ts';

export interface CaptureFeedOptions {
  media: OpenedMedia;
  socket: WebSocket;
  /** The sound is exactly zero, or no longer. */
  onSilence: (isSilent: boolean) => void;
  /** A frame couldn't be read or copied; sending it is tried again. Undefined once that works. */
  onFault: (error: unknown) => void;
  /** A camera or a microphone is open, but has sent nothing for seconds. */
  onStuck: () => void;
}

/** Sends a capture's media over an open socket, as far as the service wants them, until the socket closes. */
export async function feedCapture(options: CaptureFeedOptions): Promise<void> {
  const { media, socket, onFault } = options;
  const closed = new AbortController();
  const pictureFeed = new PictureFeed(options);
  const pictures = new Demand<WantedPicture>((wanted, signal, works) => pictureFeed.send(wanted, signal, works), onFault);
  const soundFeed = new SoundFeed(options);
  const sound = new Demand<true>((_wanted, signal, works) => soundFeed.send(signal, works), onFault);
  const again = () => {
    if (media.of === 'microphone') soundFeed.miss();
    else if (!pictureFeed.repeat()) pictures.again();
  };
  socket.addEventListener('message', ({ data }) => {
    const word = CaptureWish.parse(JSON.parse(String(data)));
    if (word.kind === 'took') return pictureFeed.took(word.frames);
    if (word.kind === 'again') return again();
    pictureFeed.begin();
    soundFeed.begin();
    pictures.set(media.picture && word.video);
    sound.set(media.sound && word.audio ? true : undefined);
  });
  for (const [track, name] of [
    [media.picture, 'video'],
    [media.sound, 'audio'],
  ] as const) {
    if (track !== undefined) tellState(socket, track, name, closed.signal);
  }
  await new Promise((resolve) => socket.addEventListener('close', resolve));
  closed.abort();
  pictures.set(undefined);
  sound.set(undefined);
}

/** Tells the service when the system mutes a track, and when it has ended. */
function tellState(socket: WebSocket, track: MediaStreamTrack, name: 'video' | 'audio', signal: AbortSignal): void {
  const tell = () => {
    const state = track.readyState === 'ended' ? 'ended' : track.muted ? 'muted' : 'live';
    const news: CaptureNews = { kind: 'track', track: name, state };
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(news));
  };
  for (const event of ['mute', 'unmute', 'ended']) track.addEventListener(event, tell, { signal });
  tell();
}
