export { loadNative, type LoadNativeOptions } from './load-native';
export { NativeUnavailableError, type FailedAttempt } from './native-unavailable-error';
