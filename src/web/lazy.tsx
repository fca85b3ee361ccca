// A part of the page that is loaded when it is first shown.
import { type ComponentType, type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  return (props) => {
    const [problem, setProblem] = useState<string | null>(null);
    const [, setLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => {
          loaded = part;
          setLoaded(true);
        },
        (error: Error) => setProblem(`This part of the page could not be loaded: ${error.message}`),
      );
    }, []);
    return loaded ? h(loaded, props) : <p class="quiet">{problem ?? '…'}</p>;
  };
}
