/** Settings that `npm start` and the demos choose by themselves. */
const chosen = [
  'PORT',
  'DASHBOARD_PORT',
  'DATABASE_URL',
  'QUEUE_URL',
  'PLATFORM_API_KEY',
  'DASHBOARD_PASSWORD',
  'SECRETS_KEY',
  'NODE_ENV',
];

/** Gives the environment of this process, without what npm and the tests have set, for its own command. */
export const ownEnvironment = (dataDirectory: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !chosen.includes(name) && !name.startsWith('npm_')),
  ),
  DATA_DIR: dataDirectory,
});
