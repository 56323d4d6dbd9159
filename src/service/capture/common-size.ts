import { fitPicture, type Size } from '../../shared/picture-fit.ts';

/**
 * The size of a capture that two pictures share: whichever of their sizes makes it larger, enlarged until the other loses nothing, since
 * bars are part of the shared picture. Width and height are even.
 *
 * @param captured the size of what is captured, of which only the aspect ratio counts; 16:9 by default, as for most cameras
 */
export function findCommonSize(one: Size, other: Size, captured: Size = wide): Size {
  const [most, least] = shareOf(one, captured) >= shareOf(other, captured) ? [one, other] : [other, one];
  const scale = Math.max(1, Math.min(least.width / most.width, least.height / most.height));
  return { width: toEven(most.width * scale), height: toEven(most.height * scale) };
}

const wide: Size = { width: 1920, height: 1080 };

/** How much of a picture the capture fills. */
function shareOf(size: Size, captured: Size): number {
  const { width, height } = fitPicture(captured, size);
  return (width * height) / (size.width * size.height);
}

function toEven(side: number): number {
  return Math.round(side / 2) * 2;
}
