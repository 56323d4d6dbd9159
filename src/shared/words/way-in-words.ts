import { isLoopbackUrl } from '../loopback-url.ts';

/**
 * How to open a printed address of the screens on a device whose browser has reached Tallylight at `origin`. The printed address has
 * this computer's loopback address, which leads every other device to itself. Undefined where it works as printed.
 */
export function adviseOnAddress(origin: string): string | undefined {
  return isLoopbackUrl(origin) ? undefined : `On this device, begin the address with ${origin}/ instead.`;
}

/** Prints a new address of the screens. Keep it last in a sentence: a full stop after it would be copied. */
export const addressCommand = 'npm run --silent tallylight -- address';

/** How a page without a session gets back in; it retries automatically. */
export function describeWayBack(origin: string): string {
  const elsewhere = adviseOnAddress(origin);
  const open = `Open the last address that Tallylight printed.${elsewhere === undefined ? '' : ` ${elsewhere}`}`;
  return `${open} If you can't find it, get another with: ${addressCommand}`;
}
