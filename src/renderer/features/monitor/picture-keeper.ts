/**
 * Draws the current frame of `video` onto `canvas`, to show it while the player is replaced. Without a frame it leaves the
 * canvas alone.
 */
export function keepPicture(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return;
  canvas.width = Math.min(1280, video.videoWidth);
  canvas.height = Math.round((canvas.width * video.videoHeight) / video.videoWidth);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
}
