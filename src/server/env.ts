// What a route knows of its request besides what is in it.

/** `via`: which door the request came through. */
export type Env = { Bindings: { via: 'unix' | 'tcp' } };
