export * from './observation';
export * from './policy';
export { loadPolicy } from './paper-policies';
export { createPolicy, policies, type ConfiguredPolicy } from './registry';
export {
  searchGenetically,
  type Chromosome,
  type GeneticSearchConfig,
  type SearchSpace,
} from './paper/genetic-search';
