import { type RefObject, useEffect, useState } from 'react';

/** A pointer rests once it hasn't moved for this long, in milliseconds. */
const restMs = 3_000;

/** Whether the pointer rests on `frame` or is elsewhere. */
export function useRestingPointer(frame: RefObject<HTMLElement | null>): boolean {
  const [isResting, setResting] = useState(true);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => setResting(true);
    const wake = () => {
      clearTimeout(timer);
      setResting(false);
      timer = setTimeout(rest, restMs);
    };
    element.addEventListener('pointermove', wake);
    element.addEventListener('pointerdown', wake);
    element.addEventListener('pointerleave', rest);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('pointermove', wake);
      element.removeEventListener('pointerdown', wake);
      element.removeEventListener('pointerleave', rest);
    };
  }, [frame]);
  return isResting;
}
