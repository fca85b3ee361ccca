// What the daemon answers to a question of a component, asked again whenever what it depends on changes.
import { useEffect, useState } from 'preact/hooks';

export type Asked<T> =
  | { readonly is: 'waiting' }
  | { readonly is: 'here'; readonly answer: T }
  | { readonly is: 'refused'; readonly why: string };

export function useAnswer<T>(ask: () => Promise<T>, depends: readonly unknown[]): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ is: 'waiting' });
  useEffect(() => {
    let isOver = false;
    ask().then(
      (answer) => isOver || setAsked({ is: 'here', answer }),
      (error: Error) => isOver || setAsked({ is: 'refused', why: error.message }),
    );
    return () => {
      isOver = true;
    };
  }, depends);
  return asked;
}
