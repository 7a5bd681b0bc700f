export * from './observation';
export * from './policy';
export { loadPolicy } from './optional-policies';
export { createPolicy, policies, type ConfiguredPolicy } from './registry';
export {
  searchGenetically,
  type Chromosome,
  type GeneticSearchConfig,
} from './paper/genetic-search';
