import fs from 'node:fs';

/** Whether a module is the program that was started, also through a link. */
export const isMain = (filename) => process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === filename;

/** Runs a program's main function: an expected failure is one message without a stack, and exit code 1. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(process.env.DEBUG ? error : error.message);
    process.exitCode = 1;
  }
}
