import { useEffect } from 'react';
import live from '../icons/lamp-live.svg?no-inline';
import off from '../icons/lamp-off.svg?no-inline';
import warn from '../icons/lamp-warn.svg?no-inline';
import type { AirTone } from '../status/air-status.ts';

/** Files, since our Content-Security-Policy forbids inline images. */
const lamps: Readonly<Record<AirTone, string>> = { live, warn, busy: off, calm: off };

/**
 * Sets the window's title; start it with what is on air. Never include a secret. The lamp in the tab has the colour of `tone`, and is
 * unlit without one.
 */
export function useDocumentTitle(title: string, tone: AirTone | undefined): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
  const lamp = lamps[tone ?? 'calm'];
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', lamp);
  }, [lamp]);
}
