import { findTopDialog } from './open-dialogs.ts';

/** Focuses the current screen or, while a dialog is open, the topmost one: nobody can use what is behind it. */
export function focusScreen(): void {
  const target = findTopDialog() ?? document.querySelector<HTMLElement>('main');
  target?.focus({ preventScroll: true });
}
