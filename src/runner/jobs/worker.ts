import { worker } from 'workerpool';
import { simulate } from './simulate';

// The entry of a worker thread, in its own bundle.
worker({ simulate });
