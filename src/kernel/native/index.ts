export { loadNative } from './load-native';
