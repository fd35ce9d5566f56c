import type { DomainDeps } from './kernel/scope';
import type { OnStep } from './matching';
import { createSimulationHandlers } from './simulations';
import { createSuggestionHandlers } from './suggestions';

/** Creates the handlers of all inquiries. */
export const createInquiryHandlers = (deps: DomainDeps, onStep?: OnStep) => ({
  ...createSuggestionHandlers(deps, onStep),
  ...createSimulationHandlers(deps, onStep),
});
