/**
 * Draws what `video` shows onto `canvas`, to show it while the player is replaced. Without a picture it leaves the canvas alone.
 *
 * `readyState` doesn't tell whether there is one: in Chromium, a player that has jumped to unloaded media still shows its last picture, and
 * this draws it.
 */
export function drawLastPicture(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  if (video.videoWidth === 0 || !isDrawable(video)) return;
  canvas.width = Math.min(1280, video.videoWidth);
  canvas.height = Math.round((canvas.width * video.videoHeight) / video.videoWidth);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
}

/** Removes the picture kept on `canvas`: it would show around a picture of another shape, or with none above it. */
export function dropPicture(canvas: HTMLCanvasElement): void {
  canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
}

/** A browser that has no picture to draw leaves the canvas transparent. */
function isDrawable(video: HTMLVideoElement): boolean {
  const dot = document.createElement('canvas');
  dot.width = 1;
  dot.height = 1;
  const context = dot.getContext('2d', { willReadFrequently: true });
  context?.drawImage(video, 0, 0, 1, 1);
  return (context?.getImageData(0, 0, 1, 1).data[3] ?? 0) > 0;
}
