export * from './link-spec';
export * from './types';
export * from './run';
export * from './scenario-error';
export { parseTrace, TraceError, TRACE_FORMATS, type TraceOptions } from './trace';
export * from './topology-source';
export { type FieldPath, fieldName, TopologyError } from './topology-error';
