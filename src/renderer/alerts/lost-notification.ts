/** Shows a notification of the system, where the user allows them; `onOpen` is called when it is chosen. */
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
    // Chrome on Android knows notifications of service workers only.
  }
}
