/** Keeps a page where it is when a file is dropped onto it: a browser would leave it for the file, even on air. */
export function stayOnDrops(page: Pick<Window, 'addEventListener'>): void {
  const stay = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  page.addEventListener('dragover', stay);
  page.addEventListener('drop', stay);
}
