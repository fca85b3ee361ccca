// Some ids become names of files, so nothing in an id may mean a path.
const id = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const name = /^[\p{L}\p{N}][\p{L}\p{N} ._@:+-]{0,63}$/u;

/** Whether it can be the id of a session, a message, a reminder or a fact. */
export const isId = (text: string): boolean => id.test(text);

/** Whether a session can be called so. */
export const isName = (text: string): boolean => name.test(text);
