/**
 * Steps that undo what was started. They run once, the last one first; one that fails does not keep the others from
 * running. A step that is added afterwards, by work that was still going on, runs at once.
 */
export function createCleanup() {
  const steps = [];
  let ran = false;
  return {
    add(step) {
      if (ran) void Promise.resolve(step()).catch(() => undefined);
      else steps.push(step);
    },
    async run() {
      ran = true;
      const failures = [];
      for (const step of steps.splice(0).reverse()) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
