/** Runs before each test file that draws random cases for the long suite: there it draws all of them. */
process.env.ALL_CASES = '1';
