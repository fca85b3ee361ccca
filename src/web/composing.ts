/** The key that ends a composition is part of it, also where the browser (Safari) does not say so: there its number is 229. */
export const isOfComposing = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => isComposing || keyCode === 229;
