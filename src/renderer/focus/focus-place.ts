import { findTopDialog } from './open-dialogs.ts';

/** Focuses the current screen or, while a dialog is open, the topmost one: nobody can use what is behind it. */
export function focusPlace(): void {
  const place = findTopDialog() ?? document.querySelector<HTMLElement>('main');
  place?.focus({ preventScroll: true });
}
