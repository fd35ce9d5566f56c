import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { queueClasses } from '@tieout/infra';
import type { Express, RequestHandler } from 'express';
import { localPage } from './local-page';

export type BoardQueue = ReturnType<ReturnType<typeof queueClasses>['openQueue']>;

export const boardPath = '/queues';

/**
 * Counts the jobs that wait in a paused queue as waiting. On PostgreSQL BullMQ counts them under a state `paused`
 * that its types no longer name and that the page does not ask for: a paused queue would look empty.
 */
class QueueAdapter extends BullMQAdapter {
  constructor(private readonly counted: BoardQueue) {
    super(counted);
  }

  override async getJobCounts(): ReturnType<BullMQAdapter['getJobCounts']> {
    const [counts, paused] = await Promise.all([
      super.getJobCounts(),
      this.counted.getJobCountByTypes('paused' as 'waiting'),
    ]);
    return { ...counts, waiting: (counts.waiting ?? 0) + paused };
  }
}

/** Creates Bull Board for the given queues, to be mounted at `boardPath`. */
export function createBoard(queues: readonly BoardQueue[]): RequestHandler[] {
  const server = new ExpressAdapter().setBasePath(boardPath);
  createBullBoard({
    queues: queues.map((queue) => new QueueAdapter(queue)),
    serverAdapter: server,
    options: {
      uiConfig: {
        boardTitle: 'Tieout queues',
        hideDocsLink: true,
        sortQueues: false,
      },
    },
  });
  const board = server.getRouter() as Express;
  board.disable('x-powered-by');
  return [localPage, board];
}
