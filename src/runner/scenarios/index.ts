export { readScenario, scenarioFiles, shippedScenarios } from './scenario-files';
