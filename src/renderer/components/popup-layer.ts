/** The landmark of index.html in which menus, lists and tooltips open, so that nothing of the page stands outside a landmark. */
export function popupLayer(): HTMLElement | null {
  return document.getElementById('popups');
}
