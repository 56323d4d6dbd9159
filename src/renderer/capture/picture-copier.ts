import { fitPicture, type PictureArea, type Size } from '../../shared/picture-fit.ts';
import { HdColours } from './hd-colours.ts';
import { blackPicture, type I420Picture, i420Layout, placeNv12, placeRgba } from './i420.ts';

/** Makes I420 pictures of one size from frames of any size and format. */
export class PictureCopier {
  #picture: I420Picture;
  #area: PictureArea | undefined;
  readonly #hdColours = new HdColours();
  #canvas: OffscreenCanvasRenderingContext2D | undefined;

  constructor(size: Size) {
    this.#picture = blackPicture(size);
  }

  /**
   * The frame in the middle of a black picture, which is valid until the next call.
   *
   * A frame of the right size is copied, and only its colours are converted; a canvas scales and converts what the browser delivers
   * otherwise.
   */
  async copy(frame: VideoFrame): Promise<I420Picture> {
    const area = fitPicture({ width: frame.displayWidth, height: frame.displayHeight }, this.#picture);
    this.#clearAround(area);
    const rect = visiblePixels(frame);
    const isInPlace = rect?.width === area.width && rect.height === area.height;
    if (isInPlace && frame.format === 'I420') {
      await frame.copyTo(this.#picture.bytes, { rect, layout: i420Layout(this.#picture, area) });
    } else if (isInPlace && frame.format === 'NV12') {
      placeNv12(this.#picture, await copyNv12(frame, rect), area);
    } else {
      this.#draw(frame, area);
      return this.#picture;
    }
    this.#hdColours.convert(this.#picture, area, frame.colorSpace);
    return this.#picture;
  }

  /** Blackens the remains of an earlier frame of another shape around this one. */
  #clearAround(area: PictureArea): void {
    const before = this.#area;
    this.#area = area;
    if (before !== undefined && (before.width !== area.width || before.height !== area.height)) {
      this.#picture = blackPicture(this.#picture);
    }
  }

  #draw(frame: VideoFrame, area: PictureArea): void {
    const { width, height } = area;
    if (this.#canvas?.canvas.width !== width || this.#canvas.canvas.height !== height) {
      // Read back for every frame: a canvas on the graphics card would be slower.
      this.#canvas = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true }) ?? undefined;
    }
    if (this.#canvas === undefined) throw new Error('This browser has no canvas.');
    this.#canvas.drawImage(frame, 0, 0, width, height);
    placeRgba(this.#picture, this.#canvas.getImageData(0, 0, width, height).data, area);
  }
}

async function copyNv12(frame: VideoFrame, rect: DOMRectInit & Size): Promise<Uint8Array> {
  const { width, height } = rect;
  const bytes = new Uint8Array((width * height * 3) / 2);
  const planes = [0, width * height].map((offset) => ({ offset, stride: width }));
  await frame.copyTo(bytes, { rect, layout: planes });
  return bytes;
}

/** The visible pixels, with even sides; undefined if they are to be shown in another size. */
function visiblePixels({ visibleRect, displayWidth, displayHeight }: VideoFrame): (DOMRectInit & Size) | undefined {
  if (visibleRect === null || visibleRect.width !== displayWidth || visibleRect.height !== displayHeight) return undefined;
  const { x, y, width, height } = visibleRect;
  return { x: x - (x % 2), y: y - (y % 2), width: width - (width % 2), height: height - (height % 2) };
}
