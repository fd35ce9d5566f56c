/** Runs before each test file of a Redis project and puts the queues of its tests there. */
process.env.QUEUE_BACKEND = 'redis';
