import { useEffect } from 'react';
import { isDialogOpen } from '../focus/open-dialogs.ts';
import { isPressOf } from './is-press-of.ts';
import { useLatest } from './use-latest.ts';

/** A key that works wherever the focus is. */
interface Shortcut {
  key: string;
  /** Whether Ctrl, or Cmd on a Mac, must be held. */
  withCommand: boolean;
  /** Whether it also works while a dialog is open, which otherwise gets all keys. */
  inDialogs?: boolean;
}

/** Runs `act` on a key press. Keys without Ctrl or Cmd are ignored while the user is typing, also in a list. */
export function useShortcut({ key, withCommand, inDialogs = false }: Shortcut, act: () => void): void {
  const latest = useLatest(act);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isPressOf(key, event) || (event.ctrlKey || event.metaKey) !== withCommand || event.altKey || event.repeat) return;
      if (!withCommand && isTyping(event.target)) return;
      if (!inDialogs && isDialogOpen()) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [key, withCommand, inDialogs, latest]);
}

function isTyping(target: EventTarget | null): boolean {
  // In a list, letters choose an option.
  const typed =
    'input:not([type="range"]), textarea, select, [role=combobox], [role=listbox], [role=menu], :is([role=listbox], [role=menu]) *';
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(typed));
}
