// Exit code 0 when the process that serves the given port is ready: the health check of the containers. Without a port:
// the one that the settings name.
const { HEALTH_PORT, DASHBOARD_PORT, PORT } = process.env;
const port = process.argv[2] ?? (HEALTH_PORT || DASHBOARD_PORT || PORT || '3000');
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
