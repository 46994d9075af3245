/** Whether the reader's color scheme is dark, for components with colors of the map. */
import { useEffect, useState } from 'preact/hooks';
import { DARK } from '../../../../browser/map-view.ts';

export function useDark(): boolean {
  const [isDark, setDark] = useState(DARK.matches);
  useEffect(() => {
    const update = () => setDark(DARK.matches);
    DARK.addEventListener('change', update);
    return () => DARK.removeEventListener('change', update);
  }, []);
  return isDark;
}
