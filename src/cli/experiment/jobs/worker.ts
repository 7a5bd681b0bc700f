import { worker } from 'workerpool';
import { simulate } from './simulate';

// The entry of a worker thread: a bundle of its own.
worker({ simulate });
