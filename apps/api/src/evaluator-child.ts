import { serveEvaluations } from '@tieout/domain';

serveEvaluations();
