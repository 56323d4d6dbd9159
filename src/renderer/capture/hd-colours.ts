import type { PictureArea } from '../../shared/picture-fit.ts';
import { type I420Picture, planeOffsets } from './i420.ts';

/** The shares of red and blue in the luma (ITU-R BT.601-7, item 2.5.1; BT.709-6, item 3.2). */
const sd = { red: 0.299, blue: 0.114 };
const hd = { red: 0.2126, blue: 0.0722 };

/** The properties of a frame's colours that matter; `null` is unknown. */
type Colours = Pick<VideoColorSpace, 'matrix' | 'fullRange'>;

/**
 * Converts pictures to HD's colours in limited range, which a broadcast announces. Browsers give screens, tabs and most cameras SD's
 * colours, whatever their size. Colours that are neither SD's nor HD's, or unknown, stay as they are.
 */
export class HdColours {
  #of: Colours = { matrix: 'bt709', fullRange: false };
  #tables: Tables | undefined;

  /** Converts this area of the picture from these colours. */
  convert(picture: I420Picture, area: PictureArea, { matrix, fullRange }: Colours): void {
    if (matrix !== this.#of.matrix || fullRange !== this.#of.fullRange) {
      this.#of = { matrix, fullRange };
      this.#tables = findTables(this.#of);
    }
    if (this.#tables) convert(picture, area, this.#tables);
  }
}

/** Fixed-point numbers have this many binary places. */
const fraction = 12;
const one = 2 ** fraction;

/** The amount that each value of the old luma (`y`), blue (`u`) and red (`v`) adds to a new value. */
interface Tables {
  yToY: Int32Array;
  uToY: Int32Array;
  vToY: Int32Array;
  uToU: Int32Array;
  vToU: Int32Array;
  uToV: Int32Array;
  vToV: Int32Array;
}

/** Undefined if there is nothing to convert. */
function findTables({ matrix, fullRange }: Colours): Tables | undefined {
  const isSd = matrix === 'smpte170m' || matrix === 'bt470bg';
  const isFullRange = fullRange === true;
  return isSd || isFullRange ? makeTables(isSd ? sd : hd, isFullRange) : undefined;
}

function makeTables(weights: typeof sd, isFullRange: boolean): Tables {
  const green = 1 - weights.red - weights.blue;
  /** HD's luma and colour differences of a colour difference without luma. */
  const toHd = (blueDifference: number, redDifference: number) => {
    const red = 2 * (1 - weights.red) * redDifference;
    const blue = 2 * (1 - weights.blue) * blueDifference;
    const luma = hd.red * red + hd.blue * blue - ((1 - hd.red - hd.blue) * (weights.red * red + weights.blue * blue)) / green;
    return { luma, u: (blue - luma) / (2 * (1 - hd.blue)), v: (red - luma) / (2 * (1 - hd.red)) };
  };
  const [ofU, ofV] = [toHd(1, 0), toHd(0, 1)];
  // Limited range has 219 steps of luma and 224 of colour (ITU-R BT.709-6, item 4).
  const [lumaSteps, colourSteps] = isFullRange ? [255, 255] : [219, 224];
  const table = (share: number, from: number, to: number) =>
    Int32Array.from({ length: 256 }, (_, value) => Math.round((share * (value - from) + to) * one));
  const rounding = 0.5;
  return {
    yToY: table(219 / lumaSteps, isFullRange ? 0 : 16, 16 + rounding),
    uToY: table((ofU.luma * 219) / colourSteps, 128, 0),
    vToY: table((ofV.luma * 219) / colourSteps, 128, 0),
    uToU: table((ofU.u * 224) / colourSteps, 128, 128 + rounding),
    vToU: table((ofV.u * 224) / colourSteps, 128, 0),
    uToV: table((ofU.v * 224) / colourSteps, 128, 0),
    vToV: table((ofV.v * 224) / colourSteps, 128, 128 + rounding),
  };
}

function convert(picture: I420Picture, area: PictureArea, { yToY, uToY, vToY, uToU, vToU, uToV, vToV }: Tables): void {
  // Colours that only one of the two systems can represent are clamped.
  const bytes = new Uint8ClampedArray(picture.bytes.buffer);
  const [luma, blue, red] = planeOffsets(picture, area);
  const at = (table: Int32Array, value: number) => table[value] as number;
  for (let row = 0; row < area.height / 2; row += 1) {
    let [u, v] = [blue + (row * picture.width) / 2, red + (row * picture.width) / 2];
    let above = luma + 2 * row * picture.width;
    for (const end = u + area.width / 2; u < end; u += 1, v += 1, above += 2) {
      const [oldU, oldV] = [bytes[u] as number, bytes[v] as number];
      const more = at(uToY, oldU) + at(vToY, oldV);
      const below = above + picture.width;
      bytes[above] = (at(yToY, bytes[above] as number) + more) >> fraction;
      bytes[above + 1] = (at(yToY, bytes[above + 1] as number) + more) >> fraction;
      bytes[below] = (at(yToY, bytes[below] as number) + more) >> fraction;
      bytes[below + 1] = (at(yToY, bytes[below + 1] as number) + more) >> fraction;
      bytes[u] = (at(uToU, oldU) + at(vToU, oldV)) >> fraction;
      bytes[v] = (at(uToV, oldU) + at(vToV, oldV)) >> fraction;
    }
  }
}
