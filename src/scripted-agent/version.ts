/** What it says of itself: with `--version`, to its status line and in its transcript. */
export const version = '1.0.0';
