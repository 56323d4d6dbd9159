/** Shows a system notification if the user allows them; `onOpen` is called when it is clicked. */
export function notifySystem(title: string, { body, tag, onOpen }: { body: string; tag: string; onOpen: () => void }): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(title, { body, tag, requireInteraction: true });
    shown.onclick = () => {
      window.focus();
      onOpen();
      shown.close();
    };
  } catch {
    // Chrome on Android supports only notifications from service workers.
  }
}
