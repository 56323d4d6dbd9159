/**
 * The landmark in index.html that holds menus, lists and tooltips, so that everything on the page is inside a landmark. Its `aria-live`,
 * which announces nothing, keeps a dialog from hiding it from screen readers, and with it the lists that open over the dialog.
 */
export function popupLayer(): HTMLElement | null {
  return document.getElementById('popups');
}
