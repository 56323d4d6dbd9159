/** The events of a video element that a player needs. */
export interface VideoListeners {
  /** The frame at this second of the element is on screen. */
  onFrame: (mediaSeconds: number) => void;
  /** The playhead may have moved. */
  onTime: () => void;
  onPause: () => void;
  onPlay: () => void;
  onEnded: () => void;
}

/** Listens to a video element. Returns a function that stops it. */
export function watchVideo(video: HTMLVideoElement, { onFrame, onTime, onPause, onPlay, onEnded }: VideoListeners): () => void {
  const onShown = (_atMs: number, { mediaTime }: VideoFrameCallbackMetadata) => {
    onFrame(mediaTime);
    request = video.requestVideoFrameCallback(onShown);
  };
  let request = video.requestVideoFrameCallback(onShown);
  const listeners = { timeupdate: onTime, pause: onPause, play: onPlay, ended: onEnded };
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, listener);
  return () => {
    video.cancelVideoFrameCallback(request);
    for (const [name, listener] of Object.entries(listeners)) video.removeEventListener(name, listener);
  };
}
