import { isLoopbackUrl } from '../loopback-url.ts';

/**
 * How to open a printed address of the screens on the device whose browser has reached Tallylight at `origin`: what is printed names
 * this computer by its loopback address, which leads every other device to itself. Undefined where it can be opened as it is.
 */
export function adviseOnAddress(origin: string): string | undefined {
  return isLoopbackUrl(origin) ? undefined : `On this device, begin the address with ${origin}/ instead.`;
}

/** How a page without a session gets back in; it retries automatically. */
export function describeWayBack(origin: string): string {
  const elsewhere = adviseOnAddress(origin);
  const open = `Open the last address that Tallylight printed.${elsewhere === undefined ? '' : ` ${elsewhere}`}`;
  // The command comes last: a full stop behind it would be copied, too.
  return `${open} If you can't find it, get another with: npm run --silent tallylight -- address`;
}
