/** Whether a dialog is open over the page. Screen readers then neither read nor announce what is below it. */
export function isDialogOpen(): boolean {
  return document.querySelector('[data-modal][data-open]') !== null;
}
