/** Runs the work when it is called; whatever is asked for while it is under way becomes one more. What it throws is dropped. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let again = false;
  let running = false;
  async function run(): Promise<void> {
    running = true;
    do {
      again = false;
      await work().catch(() => {});
    } while (again);
    running = false;
  }
  return () => {
    again = true;
    if (!running) void run();
  };
}
