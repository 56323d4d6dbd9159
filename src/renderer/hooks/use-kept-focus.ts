import { useEffect } from 'react';
import { focusScreen } from '../focus/focus-screen.ts';

/** Code that removes the focused element may focus another one: a dialog that closes, a list whose item goes, a screen that opens. */
const othersTurnMs = 50;

/**
 * Keeps the focus in the window when the focused element is removed or disabled, by its own press or because its card goes: the nearest
 * remaining area around it gets the focus, like Health, or else the screen. Otherwise screen readers start from the top of the window.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let focused: Element | undefined;
    let around: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      focused = target;
      around = listAncestors(target);
    };
    const forget = ({ target }: FocusEvent) =>
      // Some browsers also report the removal itself, which has already happened here.
      queueMicrotask(() => {
        if (target === focused && focused !== undefined && canHaveFocus(focused)) focused = undefined;
      });
    const observer = new MutationObserver(() => {
      if (focused === undefined || canHaveFocus(focused)) return;
      focused = undefined;
      clearTimeout(timer);
      timer = setTimeout(() => focusWhatIsLeft(around), othersTurnMs);
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}

function canHaveFocus(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled');
}

/** More elements may be gone by now, such as the screen with its list. */
function focusWhatIsLeft(around: readonly Element[]): void {
  if (document.activeElement !== document.body) return;
  const left = around.find((element) => element.isConnected);
  const area = left?.closest<HTMLElement>('[tabindex]');
  if (area) area.focus({ preventScroll: true });
  else focusScreen();
}

function listAncestors(element: Element): Element[] {
  const ancestors: Element[] = [];
  for (let next = element.parentElement; next !== null; next = next.parentElement) ancestors.push(next);
  return ancestors;
}
