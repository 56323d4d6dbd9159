/** The dialog opened last among those that are open over the page. */
export function findTopDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[data-modal][data-open]')].at(-1);
}

/** Whether a dialog is open over the page. Screen readers then neither read nor announce anything below it. */
export function isDialogOpen(): boolean {
  return findTopDialog() !== undefined;
}
