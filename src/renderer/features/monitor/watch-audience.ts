/**
 * Calls `listener` now, and at each change, with whether somebody can see or hear this video: its page is visible, or its sound is on.
 * Returns a function that stops it.
 */
export function watchAudience(video: HTMLVideoElement, listener: (isWatched: boolean) => void): () => void {
  const tell = () => listener(!document.hidden || !video.muted);
  document.addEventListener('visibilitychange', tell);
  video.addEventListener('volumechange', tell);
  tell();
  return () => {
    document.removeEventListener('visibilitychange', tell);
    video.removeEventListener('volumechange', tell);
  };
}
