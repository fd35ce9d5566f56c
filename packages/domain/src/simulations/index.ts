export { createSimulationHandlers, type SimulationAnswer } from './run';
export {
  cancelSimulation,
  getSimulation,
  listSimulations,
  startSimulation,
  type NewSimulation,
  type SimulationView,
} from './simulations';
