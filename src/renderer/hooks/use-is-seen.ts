import { type RefObject, useEffect, useState } from 'react';

/** Whether any part of an element is in view on a visible page. True until that is known. */
export function useIsSeen(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(true);
  const [isPageVisible, setPageVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const follow = () => setPageVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, []);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? true));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isInView && isPageVisible;
}
