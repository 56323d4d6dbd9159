import { useEffect, useRef } from 'react';

/** A key that does something wherever the focus is. */
interface Shortcut {
  key: string;
  /** Ctrl, or Cmd on a Mac, is held too. */
  withCommand: boolean;
}

/** Runs `act` on a key press; a key without Ctrl or Cmd is left alone while something is being typed. */
export function useShortcut({ key, withCommand }: Shortcut, act: () => void, isEnabled = true): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!isEnabled) return;
    const press = (event: KeyboardEvent) => {
      const isKey = event.key.toLowerCase() === key.toLowerCase();
      if (!isKey || (event.ctrlKey || event.metaKey) !== withCommand || event.altKey || event.repeat) return;
      if (!withCommand && isTyping(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [key, withCommand, isEnabled]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type="range"]), textarea, select'))
  );
}
