/** Before each test file of a project on Redis: the queues of its tests live there. */
process.env.QUEUE_BACKEND = 'redis';
