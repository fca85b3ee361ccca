// Whether somebody can see the page: one that is hidden gives its connections back.
import { useEffect, useState } from 'preact/hooks';

export function useVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible');
  useEffect(() => {
    const changed = () => setVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, []);
  return isVisible;
}
