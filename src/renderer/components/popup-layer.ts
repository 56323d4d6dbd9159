/** The landmark in index.html that holds menus, lists and tooltips, so that everything on the page is inside a landmark. */
export function popupLayer(): HTMLElement | null {
  return document.getElementById('popups');
}
